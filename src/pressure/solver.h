// A pressure solver keeps the fluids' volume. Solvers are interchangeable in a scene: "solver": {"pressure": "dfsph"}.
// One folder per solver; what they share is in passes.h.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "base/declaration.h"
#include "base/registry.h"
#include "base/result.h"
#include "passes/context.h"

namespace loam {

struct PressureStats {
    int iterations = 0;            // of the volume solve
    int divergence_iterations = 0; // of the divergence solve, where there is one
    double volume_error = 0;       // mean compression over the particles after the solve, as a fraction
    double largest_volume_error = 0;
    bool converged = true;
};

class PressureSolver {
public:
    virtual ~PressureSolver() = default;
    // Once, before the first step: declare columns.
    virtual void prepare(StepContext&) {}
    // Densities alone, after the neighbor search: what the first frame shows.
    virtual void find_densities(StepContext&) = 0;
    // After the neighbor search: densities, and what must hold before forces act.
    virtual void begin(StepContext&) = 0;
    // Explicit solvers add the pressure's acceleration here.
    virtual void forces(StepContext&) {}
    // Implicit solvers change the velocities here so that volume is kept over the coming motion of length step.dt.
    virtual void solve(StepContext&) {}
    virtual TimeStepLimit time_step(const StepContext&) const { return {}; }
    // Solids that bear pushes as a whole: see behaviors/bearer.h. Returns whether this solver asks them.
    virtual bool ask(const std::function<void(std::span<Float4>)>& /*bear*/) { return false; }
    // Whether the pressure is a force like others, so that integrators of higher order make sense.
    virtual bool is_explicit() const { return false; }
    // Whether what is squeezed leaves with the speed at which it is moved apart; not so if places are moved by
    // themselves.
    virtual bool throws_apart() const { return !is_explicit(); }
    // Whether its pressure does not resist shear by itself, so that weight may act between particles: see
    // weight_pressure.h.
    virtual bool slides_freely() const { return false; }
    // Part of the pressure acts as a smooth field, in the forces: see weight_pressure.h. Returns whether this solver
    // takes it out of what acts between particles, which may then be less than 0 as long as both together are not. Else
    // it must not know of that part, and finds no tension.
    virtual bool leave_out(StepContext&, Column<float> /*smooth*/) { return false; }
    // Whether steps follow sound: neighbors then stay the same over several of them.
    virtual bool takes_short_steps() const { return is_explicit(); }

    virtual std::size_t memory() const { return 0; } // beside the pool's columns

    // The largest acceleration of fluids, also where a smooth pressure bears most of it (weight_pressure.h): what
    // solids press on is still between particles.
    void pulled_by(double acceleration) { pull_ = acceleration; }

    const PressureStats& stats() const { return stats_; }

protected:
    PressureStats stats_;
    double pull_ = 0; // where something bears it; else unknown
};

// What a solver may want to know of the scene beyond its own values.
struct PressureSetup {
    Values values;
    double volume_error = 0.0001; // the largest mean volume error, as a fraction
    int max_iterations = 100;
    double expected_speed = 1;  // the fastest speed that the scene can be expected to reach [m/s]
    double rest_density = 1000; // the largest
};

struct PressureType {
    Declaration declaration;
    std::unique_ptr<PressureSolver> (*make)(const PressureSetup&) = nullptr;
};

// Known solvers; a static RegisterPressure in a solver's source adds it.
using PressureSolvers = Registry<PressureType>;
using RegisterPressure = PressureSolvers::Entry;

template <class T> std::unique_ptr<PressureSolver> make_pressure(const PressureSetup& setup) {
    return std::make_unique<T>(setup);
}

} // namespace loam
