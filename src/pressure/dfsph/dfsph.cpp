// Divergence-free SPH (Bender & Koschier 2015), in volume form. Two solves share one relaxation (see fields.h):
//
//   divergence  before the forces: the velocity field compresses nothing,      div v = 0
//   volume      after the forces: positions will be at rest density,           delta + dt div v = 1
//
// Unknowns: kappa = p dt in the first (an impulse), kappa = p dt^2 in the second (a displacement); p [Pa].
#include <algorithm>
#include <optional>

#include "pressure/dfsph/corrected.h"
#include "pressure/implicit_solver.h"

namespace loam {
namespace {

class Dfsph : public ImplicitSolver {
public:
    explicit Dfsph(const PressureSetup& setup)
        : ImplicitSolver(setup), divergence_tolerance_(setup.values.number("divergence_error")),
          divergence_free_(setup.values.flag("divergence_free")) {}

    void prepare(StepContext& step) override {
        fields_.declare(step, PressureFields::Use::iterated_with_kept_gradients);
        impulse_ = step.particles.declare<float>({.name = "pressure_impulse", .unit = "Pa s", .saved = true});
        volume_pressure_ = step.particles.declare<float>({.name = "volume_pressure", .unit = "Pa", .saved = true});
    }

    void begin(StepContext& step) override {
        stats_ = {};
        flows_ = fields_.begin_flow(step);
        if (flows_ && divergence_free_) step.profile.time("divergence solve", [&] { remove_divergence(step); });
    }

    void solve(StepContext& step) override {
        if (flows_) step.profile.time("pressure solve", [&] { keep_volume(step); });
    }

    bool ask(const std::function<void(std::span<Float4>)>& bear) override {
        fields_.bear = bear;
        return true;
    }

    bool leave_out(StepContext& step, Column<float> smooth) override {
        smooth_ = smooth;
        tension_ = step.particles.declare<float>({.name = "tension", .unit = "Pa"});
        return true;
    }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::time_step(step, 0.12, pull_);
    }

private:
    void remove_divergence(StepContext& step) {
        Pool& pool = step.particles;
        fields_.find_divergence(step, fields_.source);
        const auto source = pool[fields_.source], kappa = pool[fields_.kappa], impulse = pool[impulse_];
        const auto density = pool[pool.density];
        parallel_each(pool.size(), [&](std::size_t i) {
            const bool lone = density[i] < PressureFields::lone_density;
            if (lone) source[i] = -1e30f;
            kappa[i] = lone || pool.rests(i) ? 0 : 0.5f * impulse[i];
        });
        PressureFields::leave_out_solids(step, source);
        fields_.settle_closed(step);
        const double dt = step.dt > 0 ? step.dt : 1e-3; // of the step before: only scales the tolerance
        const auto outcome =
            fields_.relax_pressure(step, {.tolerance = divergence_tolerance_ / dt, .at_least = 1, .at_most = at_most_});
        stats_.divergence_iterations = outcome.iterations;
        fields_.take_push(step, 1);
        parallel_each(pool.size(), [&](std::size_t i) { impulse[i] = kappa[i]; });
    }

    void keep_volume(StepContext& step) {
        Pool& pool = step.particles;
        const auto pressure = pool[pool.pressure], of_volume = pool[volume_pressure_], impulse = pool[impulse_];
        const std::optional<Column<float>> suction = suction_of(pool);
        const float* const tension = smooth_ || suction ? allow_tension(step, suction) : nullptr;
        parallel_each(pool.size(), [&](std::size_t i) {
            if (pool.rests(i)) return;
            pressure[i] = tension ? std::max(of_volume[i] + tension[i], 0.0f) : of_volume[i];
        });
        // The divergence solve takes the speeds that corrections bring out again; but hardly those of a film that a
        // heavy solid has squeezed, which would burst.
        const bool films = smooth_ && step.scene.has_solids;
        const auto taken = PressureFields::taken_back(step, !divergence_free_ || films);
        const auto outcome = fields_.keep_volume(
            step, {.tolerance = tolerance(step), .at_least = 2, .at_most = at_most_}, warm_start, taken, tension);
        // Each solve starts from its own share of the last step; what a reader wants to see is both together.
        const float per_time = divergence_free_ ? static_cast<float>(1 / step.dt) : 0;
        const float* const smooth = smooth_ ? pool[*smooth_].data() : nullptr;
        parallel_each(pool.size(), [&](std::size_t i) {
            of_volume[i] = tension ? pressure[i] - tension[i] : pressure[i];
            pressure[i] = of_volume[i] + per_time * impulse[i] + (smooth ? smooth[i] : 0);
        });
        report(step, outcome, taken);
    }

    // Where the fluid would expand, though a smooth pressure presses on it, particles may hold each other with as much
    // tension: the solve is for the pressure above that. So water follows a body that leaves it. What is squeezed, as a
    // film under a heavy solid, is not held: it would be drawn into itself. Moist grains hold each other by the suction
    // of the water between them, in the same way.
    const float* allow_tension(StepContext& step, const std::optional<Column<float>>& suction) {
        constexpr float squeezed = 1.05f;
        Pool& pool = step.particles;
        fields_.find_divergence(step, fields_.source);
        if (!smooth_) tension_ = pool.declare<float>({.name = "tension", .unit = "Pa"});
        const auto compression = pool[fields_.source], tension = pool[tension_], kappa = pool[fields_.kappa],
                   density = pool[pool.density];
        const float* const smooth = smooth_ ? pool[*smooth_].data() : nullptr;
        const float* const sucked = suction ? pool[*suction].data() : nullptr;
        parallel_each(pool.size(), [&](std::size_t i) {
            const float borne = smooth && density[i] < squeezed ? smooth[i] : 0;
            const float most = borne + (sucked ? sucked[i] : 0);
            tension[i] = compression[i] < 0 && !pool.rests(i) ? most : 0;
            kappa[i] = -tension[i];
        });
        fields_.find_kept_push(step);
        fields_.take_push(step, static_cast<float>(step.dt));
        return tension.data();
    }

    // What a law of pores says of grains.
    static std::optional<Column<float>> suction_of(const Pool& pool) {
        const std::size_t index = pool.find("grain_suction");
        return index == SIZE_MAX ? std::nullopt : std::optional(Column<float>{index});
    }

    static constexpr float warm_start = 1;

    double divergence_tolerance_;
    bool divergence_free_;
    bool flows_ = true;                   // anything, in this step
    Column<float> impulse_;               // of the divergence solve
    Column<float> volume_pressure_;       // of the volume solve, without what is smooth
    std::optional<Column<float>> smooth_; // the part of the pressure that is no concern of particles
    Column<float> tension_;               // how much particles may hold each other
};

std::unique_ptr<PressureSolver> make_dfsph(const PressureSetup& setup) {
    return setup.values.text("gradients") == "corrected" ? make_corrected(setup) : std::make_unique<Dfsph>(setup);
}

const RegisterPressure dfsph{{
    .declaration =
        {.name = "dfsph",
         .help = "Divergence-free and volume-keeping: few, large, implicit steps. The default.",
         .properties =
             {number("divergence_error", "", 0.001, {1e-8, 1},
                     "Largest mean rate of compression, as a fraction of the volume per step."),
              flag("divergence_free", true,
                   "Whether to make the velocities divergence-free; with corrected gradients they always are."),
              choice(
                  "gradients", {"plain", "corrected"},
                  "Plain sums over neighbors, as published; or exact for linear fields, with a volume that "
                  "is kept by moving places, not velocities: then pressure does not resist shear, and "
                  "waves and layers last, at three to four times the cost. Leave shifting at 0 with it, and fluids at "
                  "densities that differ by ten times at most.")}},
    .make = make_dfsph,
}};

} // namespace
} // namespace loam
