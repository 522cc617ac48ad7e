// DFSPH whose pressure does not resist shear: "gradients": "corrected". Velocities are made free of divergence and
// places kept at rest density apart from each other.
//
//   reference   v += dt (what c pushes with exact gradients - what it pushes between neighbors)
//   velocities  after the forces, with corrected gradients:      div v <= 0 where the fluid is full,  p >= 0
//   places      moved along with v, then only they, not v:       delta + dt div v + div push <= 1
//
//   c   a smooth share of the pressure of the step before, all but what falls off within the reach of the kernel
//
// Particles under pressure that are not on a lattice push each other about, and must make room to pass each other. The
// first turns flow into noise, the second costs p dV in a solve that keeps densities by velocities (dfsph.cpp, as
// published): fluids then resist shear with a share of the pressure, at any resolution. Here neither happens: only
// p - c, the pressure over some spacings, acts between neighbors; a shear has no divergence (Bonet & Lok 1999); and to
// make room moves nothing else. Places and velocities apart: Hu & Adams 2007.
//
// Unknowns: kappa = p dt in the first solve (an impulse), p dt^2 in the second (a displacement).
#include <algorithm>
#include <cmath>
#include <functional>

#include "pressure/dfsph/corrected.h"
#include "pressure/implicit_solver.h"

namespace loam {
namespace {

class Corrected : public ImplicitSolver {
public:
    explicit Corrected(const PressureSetup& setup)
        : ImplicitSolver(setup), divergence_tolerance_(share * setup.values.number("divergence_error")),
          densest_(setup.rest_density) {}

    void prepare(StepContext& step) override {
        fields_.declare(step, PressureFields::Use::iterated_with_kept_gradients);
        fields_.declare_correction(step);
        reference_ = step.particles.declare<float>({.name = "reference_pressure", .unit = "Pa", .saved = true});
        crowding_ = step.particles.declare<float>({.name = "crowding_pressure", .unit = "Pa s^2", .saved = true});
    }

    void begin(StepContext& step) override { flows_ = fields_.begin_flow(step); }

    void solve(StepContext& step) override {
        stats_ = {};
        if (!flows_) return;
        const FlowScale scale = flow_scale(step); // before pushes take the place of accelerations
        step.profile.time("correction", [&] { fields_.find_correction(step); });
        fields_.correct(true);
        step.profile.time("reference", [&] { trade_reference(step); });
        step.profile.time("divergence solve", [&] { remove_divergence(step, scale); });
        step.profile.time("reference", [&] {
            fields_.find_reference(step, lasting_pressure(step, scale), reference_);
            PressureFields::drop_constant(step, step.particles.pressure, reference_);
        });
        fields_.correct(false);
        step.profile.time("pressure solve", [&] { correct_places(step); });
    }

    bool throws_apart() const override { return false; }
    bool slides_freely() const override { return true; }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::time_step(step, 0.12, pull_, 0.2);
    }

private:
    // What the fluid as a whole does in a step.
    struct FlowScale {
        double gain;    // speed that forces bring about [m/s]
        double fastest; // [m/s]
        double extent;  // along the axis on which the fluid is longest; single drops hardly count [m]

        // A tenth of the rate at which the fluid is compressed if all of it runs into a wall with what forces bring
        // about, or with a share of its own speed.
        double rate(double share_of_fastest) const { return 0.1 * std::max(gain, share_of_fastest * fastest) / extent; }
    };
    static FlowScale flow_scale(const StepContext& step) {
        const Pool& pool = step.particles;
        const auto acceleration = pool[pool.acceleration];
        const auto place = pool[pool.place];
        struct Sums {
            double count = 0, acceleration = 0;
            Vec3d place, place2;
            Sums operator+(const Sums& o) const {
                return {count + o.count, acceleration + o.acceleration, place + o.place, place2 + o.place2};
            }
        };
        const Sums all = parallel_reduce(
            pool.size(), Sums{},
            [&](Range range) {
                Sums some;
                for (std::size_t i = range.begin; i != range.end; ++i) {
                    if (step.is_solid(i)) continue;
                    const Vec3d x = place[i].xyz_double();
                    some.count += 1, some.acceleration += length(acceleration[i].xyz_double());
                    some.place += x, some.place2 += Vec3d{x.x * x.x, x.y * x.y, x.z * x.z};
                }
                return some;
            },
            std::plus<Sums>{});
        double extent = step.scene.spacing;
        for (std::size_t k = 0; k < 3; ++k) {
            const double mean = all.place[k] / all.count, variance = all.place2[k] / all.count - mean * mean;
            extent = std::max(extent, std::sqrt(12 * std::max(variance, 0.0))); // of a box
        }
        return {step.dt * all.acceleration / all.count, pool.fastest(), extent};
    }

    void trade_reference(StepContext& step) {
        const auto c = step.particles[reference_], less = step.particles[fields_.kappa];
        parallel_each(c.size(), [&](std::size_t i) { less[i] = -c[i]; });
        fields_.push_by_reference(step, reference_, fields_.kappa);
    }

    // Without what impacts add for a moment: it is not there in the next step.
    Column<float> lasting_pressure(StepContext& step, const FlowScale& scale) {
        Pool& pool = step.particles;
        if (step.scene.has_solids) return pool.pressure;
        const double speed2 = scale.fastest * scale.fastest, held = scale.gain / step.dt * scale.extent;
        const auto most = static_cast<float>(densest_ * (speed2 + held));
        const auto pressure = pool[pool.pressure], lasting = pool[fields_.kappa];
        parallel_each(pool.size(), [&](std::size_t i) { lasting[i] = std::min(pressure[i], most); });
        return fields_.kappa;
    }

    void remove_divergence(StepContext& step, const FlowScale& scale) {
        Pool& pool = step.particles;
        fields_.find_divergence(step, fields_.source);
        const auto source = pool[fields_.source], kappa = pool[fields_.kappa], pressure = pool[pool.pressure];
        const auto density = pool[pool.density];
        const auto dt = static_cast<float>(step.dt);
        // Lone particles may come closer at once; near a surface, and in voids, what is missing is filled up in some
        // steps. Elsewhere it is that of single particles: if they were given room, a column of uneven ones would fall.
        constexpr float in_some_steps = 0.1f, sound = 0.97f;
        const auto filling = static_cast<float>(scale.rate(0.1));
        const float* around = nullptr; // density, twice averaged
        if (!step.scene.has_solids) {  // beside which averages say little
            fields_.find_mean(step, pool.density, fields_.residual);
            fields_.find_mean(step, fields_.residual, fields_.kappa_before);
            around = pool[fields_.kappa_before].data();
        }
        const float* const away = step.scene.has_solids ? pool[fields_.away_from_solids].data() : nullptr;
        parallel_each(pool.size(), [&](std::size_t i) {
            const float room = std::max(1 - density[i], 0.0f);
            const float part = std::clamp((PressureFields::lone_density - density[i]) / 0.1f, in_some_steps, 1.0f);
            const float thin = around ? std::clamp((sound - around[i]) / 0.03f, 0.0f, 1.0f) : 1;
            source[i] -= std::max(thin * part * room / dt, std::min(in_some_steps * room / dt, filling));
            if (away) source[i] += (1 - away[i]) * std::max(PressureFields::beside_solids(density[i] - 1), 0.0f) / dt;
            kappa[i] = pressure[i] * dt;
        });
        PressureFields::leave_out_solids(step, source);
        PressureFields::Goal goal{divergence_tolerance_ / step.dt, 2, at_most_};
        if (!step.scene.has_solids) { // which would need far more iterations
            // A small mean rate may be a tall column that falls as a whole, as only its lowest layer is compressed.
            // Pressure would then be found over many steps, too late and too much, and the column would bounce and
            // break up. It takes some iterations per layer to find it in one, mostly the first.
            goal.tolerance = std::min(goal.tolerance, scale.rate(0.01));
            goal.at_most =
                std::max(goal.at_most, iterations_per_layer * static_cast<int>(scale.extent / step.scene.spacing));
        }
        const auto outcome = fields_.relax_pressure(step, goal);
        stats_.divergence_iterations = outcome.iterations;
        stats_.converged = outcome.converged;
        fields_.take_push(step, 1);
        parallel_each(pool.size(), [&](std::size_t i) { pressure[i] = kappa[i] / dt; });
    }

    void correct_places(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_divergence(step, fields_.source);
        const auto source = pool[fields_.source], kappa = pool[fields_.kappa], crowding = pool[crowding_];
        const auto density = pool[pool.density];
        const auto dt = static_cast<float>(step.dt);
        parallel_each(pool.size(), [&](std::size_t i) {
            source[i] = PressureFields::in_fluids(density[i] - 1) + dt * source[i];
            kappa[i] = 0.5f * crowding[i];
        });
        PressureFields::leave_out_solids(step, source);
        fields_.settle_closed(step);
        const auto outcome =
            fields_.relax_pressure(step, {.tolerance = tolerance_, .at_least = 2, .at_most = at_most_});
        if (!step.scene.has_solids) fields_.take_velocities_along(step);
        const auto push = pool[fields_.push];
        const auto position = pool[pool.position];
        parallel_each(pool.size(), [&](std::size_t i) {
            crowding[i] = kappa[i];
            if (!step.is_solid(i)) position[i] += push[i].xyz_double();
        });
        const bool free_of_divergence = stats_.converged;
        report(step, outcome, PressureFields::in_fluids);
        stats_.converged &= free_of_divergence;
    }

    // Of the divergence that the published solver may leave. It has a second solve that makes up for it in velocities.
    static constexpr double share = 0.01;
    static constexpr int iterations_per_layer = 4;

    double divergence_tolerance_;
    double densest_;          // [kg/m^3]
    bool flows_ = true;       // anything, in this step
    Column<float> reference_; // c
    Column<float> crowding_;  // kappa of the places
};

} // namespace

std::unique_ptr<PressureSolver> make_corrected(const PressureSetup& setup) { return make_pressure<Corrected>(setup); }

} // namespace loam
