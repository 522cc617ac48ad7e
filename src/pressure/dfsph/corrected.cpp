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

#include "pressure/dfsph/corrected.h"
#include "pressure/implicit_solver.h"

namespace loam {
namespace {

class Corrected : public ImplicitSolver {
public:
    explicit Corrected(const PressureSetup& setup)
        : ImplicitSolver(setup), divergence_tolerance_(share * setup.values.number("divergence_error")) {}

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
        step.profile.time("correction", [&] { fields_.find_correction(step); });
        fields_.correct(true);
        step.profile.time("reference", [&] { trade_reference(step); });
        step.profile.time("divergence solve", [&] { remove_divergence(step); });
        step.profile.time("reference", [&] {
            fields_.find_reference(step, step.particles.pressure, reference_);
            PressureFields::drop_constant(step, step.particles.pressure, reference_);
        });
        fields_.correct(false);
        step.profile.time("pressure solve", [&] { correct_places(step); });
    }

    bool throws_apart() const override { return false; }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::time_step(step, 0.12, 0.2);
    }

private:
    void trade_reference(StepContext& step) {
        const auto c = step.particles[reference_], less = step.particles[fields_.kappa];
        parallel_each(c.size(), [&](std::size_t i) { less[i] = -c[i]; });
        fields_.push_by_reference(step, reference_, fields_.kappa);
    }

    void remove_divergence(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_divergence(step, fields_.source);
        const auto source = pool[fields_.source], kappa = pool[fields_.kappa], pressure = pool[pool.pressure];
        const auto density = pool[pool.density];
        const auto dt = static_cast<float>(step.dt);
        const float* const away = step.has_solids ? pool[fields_.away_from_solids].data() : nullptr;
        parallel_each(pool.size(), [&](std::size_t i) {
            // Lone particles may come closer at once. Inside, what is missing is filled up in some steps.
            const float room = std::max(1 - density[i], 0.0f);
            source[i] -= std::clamp((PressureFields::lone_density - density[i]) / 0.1f, 0.1f, 1.0f) * room / dt;
            if (away) source[i] += (1 - away[i]) * std::max(PressureFields::beside_solids(density[i] - 1), 0.0f) / dt;
            kappa[i] = pressure[i] * dt;
        });
        PressureFields::leave_out_solids(step, source);
        const auto outcome = fields_.relax_pressure(step, {divergence_tolerance_ / step.dt, 2, at_most_});
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
        const auto outcome = fields_.relax_pressure(step, {tolerance_, 2, at_most_});
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

    double divergence_tolerance_;
    bool flows_ = true;       // anything, in this step
    Column<float> reference_; // c
    Column<float> crowding_;  // kappa of the places
};

} // namespace

std::unique_ptr<PressureSolver> make_corrected(const PressureSetup& setup) { return make_pressure<Corrected>(setup); }

} // namespace loam
