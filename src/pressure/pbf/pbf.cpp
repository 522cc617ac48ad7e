// Position-based fluids (Macklin & Müller 2013), in volume form.
//
//   C_i(x) = delta_i(x) - 1                                                    eq. 1: the constraint, at predicted x
//   lambda_i = C_i / (D_i + epsilon)                                           eq. 11, D_i the sum of |grad C|^2 / m
//   dx_i = -s_i sum_j V_j (lambda_i + lambda_j) grad W_ij                      eq. 12, gradients at predicted x
//   v_i = (x_i - x_i(t)) / dt                                                  after the last iteration
//
//   delta   density as a multiple of the rest density [-]
//   D       diagonal of passes.h, at the predicted places; s specific volume
//   lambda  multiplier, in units of p dt^2; its sum over the iterations gives the pressure p [Pa]
//
// Constraints act on compression only. The paper drops C_i < 0, which never takes back what was pushed too far; here
// the sum of the multipliers is kept >= 0 (Macklin, Müller & Chentanez 2016, XPBD), so what pressure did, less pressure
// undoes. The lengths of the steps are those of relaxation.cpp. Neighbors stay those of the step's start. The paper's
// artificial pressure against clumping is not needed as nothing pulls; viscosity and vorticity are behaviors.
//
// The paper starts each step from zero, warm_start = 0; half of the last step's pressure is a better guess
// (all of it feeds a resting fluid with energy at long steps).
#include <algorithm>

#include "base/reductions.h"
#include "pressure/predicting_solver.h"

namespace loam {
namespace {

class Pbf : public PredictingSolver {
public:
    explicit Pbf(const PressureSetup& setup) : PredictingSolver(setup, PressureFields::Use::iterated) {}

    void prepare(StepContext& step) override {
        PredictingSolver::prepare(step);
        multiplier_ = step.particles.declare<float>({.name = "multiplier"});
        more_ = step.particles.declare<Float4>({.name = "more_displacement"});
    }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::time_step(step, 0.12, pull_);
    }

private:
    PressureFields::Outcome find_kappa(StepContext& step) override {
        Pool& pool = step.particles;
        const auto before = pool[fields_.kappa_before];
        const auto displacement = pool[fields_.push];
        parallel_each(pool.size(), [&](std::size_t i) {
            before[i] = 0;
            displacement[i] = {};
        });
        prediction_.move_particles(step, fields_.push);
        if (warm_start_ > 0) find_constraints(step);
        return fields_.relax(step, {.tolerance = tolerance_, .at_least = 2, .at_most = at_most_},
                             [&] { displace(step); });
    }

    // Moves by what the last step added to the multipliers, but by no more than a share of it that leaves everything
    // near its neighbors: those that are pushed past each other are thrown apart.
    void displace(StepContext& step) {
        Pool& pool = step.particles;
        const auto kappa = pool[fields_.kappa], before = pool[fields_.kappa_before], multiplier = pool[multiplier_];
        const auto all = pool[fields_.push], more = pool[more_];
        parallel_each(pool.size(), [&](std::size_t i) { multiplier[i] = kappa[i] - before[i]; });
        fields_.find_push(step, prediction_.places(step), multiplier_, more_, Put::set);
        const double most = farthest_at_once * step.scene.spacing;
        const double farthest = parallel_max(pool.size(), [&](std::size_t i) { return length(more[i].xyz_double()); });
        const auto share = static_cast<float>(farthest > most ? most / farthest : 1);
        parallel_each(pool.size(), [&](std::size_t i) {
            all[i] = {all[i].x + share * more[i].x, all[i].y + share * more[i].y, all[i].z + share * more[i].z,
                      all[i].w};
            kappa[i] = before[i] + share * multiplier[i];
        });
        prediction_.move_particles(step, fields_.push);
        find_constraints(step);
    }

    void find_constraints(StepContext& step) {
        fields_.find_densities(step, prediction_.places(step), fields_.residual);
        Pool& pool = step.particles;
        const auto residual = pool[fields_.residual], density = pool[pool.density];
        const auto taken = PressureFields::taken_back(step, true);
        parallel_each(pool.size(), [&](std::size_t i) { residual[i] -= density[i] - taken(density[i] - 1); });
        PressureFields::leave_out_solids(step, residual);
    }

    static constexpr double farthest_at_once = 0.1; // spacings, in an iteration

    Column<float> multiplier_;
    Column<Float4> more_; // displacement by the multipliers
};

const RegisterPressure pbf{{
    .declaration = {.name = "pbf",
                    .help = "Position-based: places are moved until their densities are right, velocities follow.",
                    .properties = {warm_start_property()}},
    .make = make_pressure<Pbf>,
}};

} // namespace
} // namespace loam
