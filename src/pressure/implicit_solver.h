// What solvers share that find the pressure of a step by iterations.
#pragma once

#include "pressure/fields.h"
#include "pressure/solver.h"

namespace loam {

class ImplicitSolver : public PressureSolver {
public:
    explicit ImplicitSolver(const PressureSetup& setup)
        : tolerance_(setup.volume_error), at_most_(setup.max_iterations) {}

    void begin(StepContext& step) override {
        step.profile.time("density", [&] { fields_.find_densities(step); });
    }
    std::size_t memory() const override { return fields_.memory(); }

protected:
    // Puts down what the solve for volume came to.
    void report(const PressureFields::Outcome& outcome) {
        stats_.iterations = outcome.iterations;
        stats_.volume_error = outcome.mean;
        stats_.largest_volume_error = outcome.largest;
        stats_.converged = outcome.converged;
    }

    double tolerance_;
    int at_most_; // iterations
    PressureFields fields_;
};

// The property of solvers that start from a share of the last step's pressure.
inline Property warm_start_property() {
    return number("warm_start", "", 0.5, {0, 1}, "How much of the last step's pressure the solve starts from.");
}

} // namespace loam
