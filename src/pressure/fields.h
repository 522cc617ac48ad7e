// The columns and sums that all pressure solvers share; a thin layer over passes.h.
#pragma once

#include "passes/context.h"
#include "pressure/passes.h"

namespace loam {

class PressureFields {
public:
    void declare(StepContext& step);

    Column<Float4> gradient;       // G, w: the diagonal
    Column<Float4> pressure_place; // position, w: V kappa
    Column<float> kappa;           // the pressure that is iterated on, in the solver's own scale
    Column<float> source;
    Column<Float4> push;
    Column<float> specific_volume;

    void find_densities(StepContext& step);
    double mean_compression(const StepContext& step, double& largest) const;
    // pressure_place from kappa.
    void scatter_pressure(StepContext& step);
    void find_push(StepContext& step, Column<Float4> to, bool add);
    void find_divergence(StepContext& step, Column<Float4> field, Column<float> to);

    // Where no fluid has room to expand, in a full tank or a periodic box, its mean compression is beyond any pressure,
    // and pressure has no zero that it would fall back to: warm starts pump it up from step to step. This takes the
    // mean out of the source and starts from kappa = 0 there.
    void settle_closed(StepContext& step);

    struct Goal {
        double tolerance; // of the mean compression
        int at_least, at_most;
    };
    struct Outcome {
        int iterations = 0;
        double mean = 0, largest = 0;
        bool converged = false;
    };
    // Finds kappa >= 0 and its push so that source + divergence(push) vanishes where it was compression.
    Outcome relax_pressure(StepContext& step, const Goal& goal);

private:
    double relaxation_ = 0.5; // factor of Jacobi steps, so that they converge with any kernel
    const float* specific_volumes(const StepContext& step) const;
    float common_specific_volume(const StepContext& step) const;
};

} // namespace loam
