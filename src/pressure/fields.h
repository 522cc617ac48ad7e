// The columns and sums that all pressure solvers share; a thin layer over passes.h.
#pragma once

#include <functional>

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
    Column<float> residual; // of the equation that is relaxed: positive where more pressure is needed
    Column<float> specific_volume;

    // Where particles and walls are taken to be: now, or where a step is about to bring them.
    struct Places {
        const Float4* particles;
        const Float4* walls;
    };
    static Places places_now(const StepContext& step);

    void find_densities(StepContext& step) { find_densities(step, places_now(step), step.particles.density); }
    void find_densities(StepContext& step, const Places& places, Column<float> to);
    // Without the gradient and the diagonal.
    void find_densities_alone(StepContext& step, const Places& places, Column<float> to);
    double mean_compression(const StepContext& step, double& largest) const;
    // pressure_place from kappa, or from another pressure.
    void scatter_pressure(StepContext& step) { scatter_pressure(step, places_now(step), kappa); }
    void scatter_pressure(StepContext& step, const Places& places, Column<float> of);
    void find_push(StepContext& step, Column<Float4> to, bool add) {
        find_push(step, places_now(step), kappa, to, add);
    }
    void find_push(StepContext& step, const Places& places, Column<float> of, Column<Float4> to, bool add);
    // Of velocities, with those of the walls; or of the push, which walls do not have.
    void find_divergence(StepContext& step, Column<Float4> field, Column<float> to);

    struct Goal {
        double tolerance; // of the mean compression
        int at_least, at_most;
        double usual_diagonal = 0; // no particle's diagonal counts as less; 0: each has its own, gradient.w
    };
    struct Outcome {
        int iterations = 0;
        double mean = 0, largest = 0;
        bool converged = false;
    };
    // Finds kappa >= 0 and its push so that source + divergence(push) vanishes where it was compression.
    Outcome relax_pressure(StepContext& step, const Goal& goal);
    // The same for any equation: find_residual sets `residual` (and what the solver takes from it) from kappa.
    Outcome relax(StepContext& step, const Goal& goal, const std::function<void()>& find_residual);
    Column<float> kappa_before; // kappa without the last step of a relaxation

    // The implicit solve that DFSPH and IISPH share: kappa = p dt^2 and its push, a displacement, so that the density
    // after the motion, delta + dt div v + div push, is at most the rest density. Starts from warm_start times p.
    Outcome keep_volume(StepContext& step, const Goal& goal, float warm_start);
    // velocity += scale push
    void take_push(StepContext& step, float scale) const;

    // dt = fraction sqrt(spacing / a) for the largest acceleration a of the forces. Implicit solvers linearize the
    // density over the step; where forces alone would move particles by several hundredths of their distance, what that
    // leaves out comes back as push in the next step, and a resting column boils. From 0.2 on it explodes.
    static TimeStepLimit limit_by_acceleration(const StepContext& step, double fraction);

private:
    struct Correlation;
    Correlation compare_with_last(const StepContext& step, float usual_diagonal, float least_diagonal) const;
    void step_along_residual(StepContext& step, float length, float usual_diagonal, float least_diagonal);
    const float* specific_volumes(const StepContext& step) const;
    float common_specific_volume(const StepContext& step) const;

    Column<float> residual_before;
};

} // namespace loam
