// Backward Euler for stiff bodies, by conjugate gradients without a matrix (as Peer et al. 2018 do, with rotations of
// the step's start, and with the resistance to zero-energy modes):
//
//   (1 - s dt^2 K - s dt D) dv = dt s (f + dt K v)       s = V / m
//
//   K the change of the forces f with places at fixed rotations, D of damping with velocities, v after all other forces
//
// Pair forces cancel in every product with K and D, so no iteration changes a body's momentum.
#pragma once

#include <functional>
#include <vector>

#include "behaviors/elastic/passes.h"

namespace loam {

class ElasticSolve {
public:
    struct System {
        const ElasticArgs& args; // with the forces f of the present places and velocities
        const std::vector<Float4>& velocity;
        const std::vector<float>& specific_volume;
        const std::vector<float>& viscosity;
        bool damped;
        float dt;
    };
    // `fixed(slot)` has the velocity that it has.
    void run(InstructionSet isa, const System& system, std::size_t count,
             const std::function<bool(std::size_t)>& fixed);

    // What is left of a push, a change of velocity or place, once the whole body has borne it over the step:
    //   (1 - s dt^2 K - s dt D) x = push
    // Starts from the answer before, forget() from none.
    void answer(InstructionSet isa, const System& system, std::size_t count,
                const std::function<bool(std::size_t)>& fixed, const std::vector<Float4>& push);

    const std::vector<Float4>& change() const { return change_; } // dv, by slot in the body's frame
    // For a restart: the change of the step before, and how long that was.
    std::vector<Float4>& guess(std::size_t count);
    void forget() { change_.clear(), dt_before_ = 0; } // other particles have entered
    float dt_before() const { return dt_before_; }
    void set_dt_before(float dt) { dt_before_ = dt; }
    int iterations() const { return iterations_; }

private:
    void make_room(std::size_t count);
    // to = K dt of + D of, per volume
    void response(InstructionSet isa, const System& system, const std::vector<Float4>& of);
    void product(InstructionSet isa, const System& system);
    Float4 scaled_residual(const System& system, std::size_t s) const; // over mass
    double right_side(InstructionSet isa, const System& system);
    void iterate(InstructionSet isa, const System& system, double least, double error);
    double first_guess(InstructionSet isa, const System& system, double from_zero);

    std::vector<Float4> change_, residual_, direction_, product_;
    std::vector<Float4> moved_, moving_, gradient_, stress_, force_;
    std::vector<std::uint8_t> fixed_;
    float dt_before_ = 0;
    int iterations_ = 0;
};

} // namespace loam
