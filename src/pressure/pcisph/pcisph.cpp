// Predictive-corrective incompressible SPH (Solenthaler & Pajarola 2009), in volume form.
//
//   x*_i = x_i + dt v_i                                              predicted, v with all forces but pressure
//   delta*_i = sum_j V_j W(x*_i - x*_j)                              sec. 3.1: density where the particles would be
//   p_i <- max(0, p_i + f (delta*_i + div push_i - 1))               eq. 9
//   f = 1 / (2 dt^2 D),  D = s (|G|^2 + V^2 sum_j |grad W_ij|^2)     eq. 8, for a full neighborhood on the lattice
//   a_p,i = -s_i sum_j V_j (p_i + p_j) grad W_ij                     eq. 4, at x*; push = dt^2 a_p
//
//   delta   density as a multiple of the rest density [-]
//   p       pressure [Pa]; the iteration is on kappa = p dt^2, whose push is a displacement
//   D, G    diagonal and kernel gradient of passes.h; s specific volume [m^3/kg]
//
// The paper finds densities again after each correction, where x* + push would be, but pushes along gradients of x.
// Where fluids meet, and more so if one is lighter, particles are soon pushed beyond their neighbors: there more
// pressure means more density, and throwing them apart is a solution too. Here corrections are linear about x*, which
// leaves an error of second order to the next step, and what was compressed before the step is taken back little by
// little.
//
// At free surfaces G does not vanish and f would be too large for steps as long as the other solvers take: there the
// particle's own D counts, if larger. eq. 8's factor 1/2 is the first step's only; later ones take the length that the
// residuals tell (relaxation.cpp). Nor does the paper start from the last step's pressure: warm_start = 0 does as it
// does.
#include <algorithm>

#include "pressure/predicting_solver.h"

namespace loam {
namespace {

class Pcisph : public PredictingSolver {
public:
    explicit Pcisph(const PressureSetup& setup)
        : PredictingSolver(setup, PressureFields::Use::iterated_with_kept_gradients),
          rest_density_(setup.rest_density) {}

    void prepare(StepContext& step) override {
        PredictingSolver::prepare(step);
        diagonal_ = PressureFields::lattice_diagonal(step.scene.kernel, step.scene.spacing) / rest_density_;
    }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::time_step(step, 0.12, pull_);
    }

private:
    PressureFields::Outcome find_kappa(StepContext& step) override {
        Pool& pool = step.particles;
        const auto push = pool[fields_.push];
        parallel_each(pool.size(), [&](std::size_t i) { push[i] = {}; });
        prediction_.move_particles(step, fields_.push);
        fields_.find_densities(step, prediction_.places(step), fields_.residual);
        const auto source = pool[fields_.source], predicted = pool[fields_.residual], density = pool[pool.density];
        const auto taken = PressureFields::taken_back(step, true);
        parallel_each(pool.size(),
                      [&](std::size_t i) { source[i] = taken(density[i] - 1) + (predicted[i] - density[i]); });
        PressureFields::leave_out_solids(step, source);
        fields_.settle_closed(step);
        return fields_.relax_pressure(
            step, {.tolerance = tolerance_, .at_least = 2, .at_most = at_most_, .usual_diagonal = diagonal_});
    }

    double rest_density_, diagonal_ = 0;
};

const RegisterPressure pcisph{{
    .declaration = {.name = "pcisph",
                    .help = "Predictive-corrective: pressures are raised until the predicted densities are right.",
                    .properties = {warm_start_property()}},
    .make = make_pressure<Pcisph>,
}};

} // namespace
} // namespace loam
