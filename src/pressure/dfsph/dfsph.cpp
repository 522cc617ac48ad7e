// Divergence-free SPH (after Bender & Koschier 2015), in volume form. Two solves share one relaxation (see fields.h):
//
//   velocity    dt div v + min(delta - 1, 0) <= 0     velocities compress nothing, but let gaps close
//   position    delta + dt div v + div x <= 1         what compression is left is undone by moving particles by x
//
// delta is the density as a multiple of the rest density, dt the time step [s]. Unknown in both: kappa = p dt^2, p
// [Pa]. In the original the second solve changes velocities too. Then every correction of density becomes motion, the
// next step must undo it, and a fluid at rest boils; moving positions alone feeds nothing in.
#include <algorithm>

#include "pressure/fields.h"
#include "pressure/solver.h"

namespace loam {
namespace {

class Dfsph : public PressureSolver {
public:
    explicit Dfsph(const PressureSetup& setup)
        : tolerance_(setup.volume_error), divergence_tolerance_(setup.values.number("divergence_error")),
          at_most_(setup.max_iterations) {}

    void prepare(StepContext& step) override { fields_.declare(step); }

    void begin(StepContext& step) override {
        step.profile.time("density", [&] { fields_.find_densities(step); });
    }

    void solve(StepContext& step) override {
        step.profile.time("velocity solve", [&] { correct_velocities(step); });
        step.profile.time("position solve", [&] { correct_positions(step); });
    }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::limit_by_acceleration(step, 0.12);
    }

private:
    void correct_velocities(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_divergence(step, pool.velocity, fields_.source);
        const auto source = pool[fields_.source], kappa = pool[fields_.kappa];
        const auto density = pool[pool.density], pressure = pool[pool.pressure];
        const float dt = static_cast<float>(step.dt), dt2 = dt * dt;
        parallel_each(pool.size(), [&](std::size_t i) {
            source[i] = dt * source[i] + std::min(density[i] - 1, 0.0f);
            kappa[i] = pressure[i] * dt2;
        });
        fields_.settle_closed(step);
        const auto outcome = fields_.relax_pressure(step, {divergence_tolerance_, 1, at_most_});
        stats_.divergence_iterations = outcome.iterations;
        stats_.converged = outcome.converged;
        fields_.take_push(step, 1 / dt);
        parallel_each(pool.size(), [&](std::size_t i) { pressure[i] = kappa[i] / dt2; });
    }

    void correct_positions(StepContext& step) {
        Pool& pool = step.particles;
        const auto source = pool[fields_.source], kappa = pool[fields_.kappa], residual = pool[fields_.residual];
        const auto density = pool[pool.density];
        parallel_each(pool.size(), [&](std::size_t i) {
            source[i] = std::max(density[i] - 1, 0.0f) + residual[i];
            kappa[i] = 0;
        });
        fields_.settle_closed(step);
        const auto outcome = fields_.relax_pressure(step, {tolerance_, 1, at_most_});
        stats_.iterations = outcome.iterations;
        stats_.volume_error = outcome.mean;
        stats_.largest_volume_error = outcome.largest;
        stats_.converged &= outcome.converged;
        if (outcome.iterations == 1) return; // nothing to move
        const auto position = pool[pool.position];
        const auto push = pool[fields_.push];
        const double farthest = 0.1 * step.spacing;
        parallel_each(pool.size(), [&](std::size_t i) {
            const Vec3d by = push[i].xyz_double();
            const double l = length(by);
            position[i] += l > farthest ? farthest / l * by : by;
        });
    }

    double tolerance_, divergence_tolerance_;
    int at_most_;
    PressureFields fields_;
};

const RegisterPressure dfsph{{
    .declaration = {.name = "dfsph",
                    .help = "Divergence-free and volume-keeping: few, large, implicit steps. The default.",
                    .properties = {number(
                        "divergence_error", "", 0.0001, {1e-8, 1},
                        "Largest mean compression by velocities, as a fraction of the volume per step.")}},
    .make = make_pressure<Dfsph>,
}};

} // namespace
} // namespace loam
