// What neighbors exchange: an amount that one loses and the other gains. Heat, solute and water in pores are laws that
// say what flows and how easily; this moves it. Whatever a law says, nothing is lost or made, nobody holds less than
// nothing or more than it can, and what has mass takes its momentum along.
//
//   dt F_ij = dt 2 V_i V_j k_ij m_up s (u_i - u_j + b . (x_j - x_i))      from i to j; symbols are in transfer.law.h
//   a_i'    = a_i - sum_j l_ij dt F_ij                                    l_ij in [0, 1]: limits
//
//   explicit   F of the potentials before the step. No new extremes where dt sum_j g_ij / c_i <= 1: time_step()
//   implicit   F of those after it, c_i (u_i' - u_i) + dt sum_j F_ij(u') = 0: any step; see implicit.h
//
// Cleary & Monaghan 1999 for the flux, Zalesak 1979 for the limits. Fluxes are floats, the same from both sides; their
// sums and the amounts are doubles. So the total stays to their rounding, whatever the tolerance of the solve.
//
// A limit counts what a particle holds, and has room for, before the step: what is full takes nothing in a step in
// which it gives. Flow through full pores is for a law that finds their pressure and moves with no capacity.
//
// Walls with a potential of their own (a hot wall, a reservoir) would enter as a second sum over `wall_pairs()` in each
// pass, with the same law and a record u, 1 / k, m for every wall particle, 0 its change. They take and give without
// limit and are not written; what they gave is a total of their own. A particle that keeps its potential has a very
// large storage (1e30) and no capacity.
//
// A law declares an amount once, fills state() in every step and moves:
//
//     heat_ = pool.declare<double>({.name = "heat", .unit = "J", .saved = true, .nature = Nature::amount});
//     transfer_.declare(pool, {.name = "heat", .reason = "conduction"});
//     ...
//     parallel_each(pool.size(), [&](std::size_t i) { pool[transfer_.state()][i] = {temperature, k, 1, capacity}; });
//     transfer_.move(step, {.amount = heat_});
#pragma once

#include <functional>
#include <string>

#include "passes/transfer/implicit.h"

namespace loam {

// What the sums of exchanges come to between particles on a lattice at rest.
struct LatticeExchange {
    explicit LatticeExchange(const SceneFacts& scene);

    double moment = 1; // V sum_j s x_j^2: 1 but for the kernel's error of quadrature; conductivities are divided by it
    double steepness = 0; // V sum_j s [1/m^2]

    // An explicit step that makes no new extremes, found without looking at anybody: also where particles are packed
    // twice as densely. `diffusivity`: the largest k V / c [m^2/s].
    double safe_step(double diffusivity) const;
};

class Transfer {
public:
    struct Kind {
        std::string name;   // of the amount, and with it of its columns
        std::string reason; // for the log, where it limits the time step
        double mass = 0;    // [kg] per amount
        double back = 0;    // [kg] per amount, of what comes back in exchange
    };
    // What a law has, and how it is to move. Columns that are left out do not bound, weigh nothing.
    struct Terms {
        Column<double> amount;
        Column<float> capacity;
        Column<float> dry_mass; // [kg] without the amount: the mass of a particle is dry_mass + (mass - back) * amount
        Vec3d drive;            // b
        double time = 0;        // that it takes [s]; 0: the step's
        bool implicit = false;
        // Of implicit steps: what particles get from elsewhere, at the potentials of before. It enters the solution, is
        // not moved: that is left to the law, which knows the changes of potentials then (record()). A part that grows
        // with the potential, -b u, belongs into the storage as + dt b.
        Column<float> source;
        // Where the storage depends on the solution: looks at the changes that were found, in w of record(), alters the
        // storage and returns whether to solve once more. May be empty.
        std::function<bool()> refine;
        bool limited = true; // false: the law knows that nobody is asked for more than it holds, which saves a pass
    };

    void declare(Pool& pool, Kind kind);
    // To be filled before time_step() and move(): u, k, m and, for both ways of stepping to hold, the storage c =
    // da/du. k = 0 for what does not take part.
    Column<Float4> state() const { return state_; }
    Column<Float4> record() const { return record_; } // u, 1 / k, m, change of u

    TimeStepLimit time_step(const StepContext& step, const Vec3d& drive) const; // of explicit steps
    // Changes amounts, and where they have mass, masses and velocities.
    void move(StepContext& step, const Terms& terms);
    int iterations() const { return solver_.iterations(); } // of the last implicit move

private:
    Exchange fill_records(const StepContext& step, double dt, const Vec3d& drive) const;
    void find_limits(const StepContext& step, const Exchange& exchange, const Terms& terms);
    void take_along(StepContext& step, const Terms& terms);

    Kind kind_;
    std::string line_; // of the profile
    ImplicitTransfer solver_;
    Column<Float4> state_, record_, limits_;
    Column<double> net_;
    Column<Float4> received_, unrounded_;
};

} // namespace loam
