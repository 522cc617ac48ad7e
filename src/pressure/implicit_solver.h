// What solvers share that find the pressure of a step by iterations.
#pragma once

#include <algorithm>

#include "pressure/fields.h"
#include "pressure/solver.h"

namespace loam {

class ImplicitSolver : public PressureSolver {
public:
    explicit ImplicitSolver(const PressureSetup& setup)
        : tolerance_(setup.volume_error), at_most_(setup.max_iterations) {}

    void find_densities(StepContext& step) override { fields_.find_densities_alone(step); }
    void begin(StepContext& step) override {
        step.profile.time("density", [&] { fields_.find_densities(step); });
    }
    std::size_t memory() const override { return fields_.memory(); }

protected:
    // The error of volume that may be left in this step. Pressure changes volumes by the square of the step: what is a
    // small error of it in the step that the flow would take is all of it in one of a tenth that something else has
    // asked for. So shorter steps leave less, down to what densities are known to, and pressures are as good in all.
    double tolerance(const StepContext& step) const {
        constexpr double rounding = 6e-8;
        const double part = step.part_of_flow_step();
        return std::max(part * part * tolerance_, std::min(tolerance_, rounding));
    }

    // Puts down what the solve for volume came to. The largest error counts what was not asked of it, too.
    void report(const StepContext& step, const PressureFields::Outcome& outcome,
                const PressureFields::TakenBack& taken) {
        stats_.iterations = outcome.iterations;
        stats_.volume_error = outcome.mean;
        fields_.mean_compression(step, stats_.largest_volume_error, taken);
        stats_.largest_volume_error = std::max(stats_.largest_volume_error, outcome.largest);
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
