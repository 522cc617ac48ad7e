// Weakly compressible SPH: pressure follows from density by an equation of state and acts as a force.
//
//   tait    p = B (delta^7 - 1), B = rho0 c^2 / 7     Becker & Teschner 2007; L 3.6-3.7
//   linear  p = rho0 c^2 (delta - 1)                  B 3.18
//   a_i = -s_i sum_j V_j (p_i / delta_i^2 + p_j / delta_j^2) grad W_ij
//
// delta is the density as a multiple of the rest density rho0 [kg/m^3], c the speed of sound [m/s]. Compression goes
// with (v / c)^2, so c = v / sqrt(volume error) for the fastest speed v that the scene can reach.
//
// Pressure is that of half a step ahead, as delta has risen by in the step before. Where drops strike, single particles
// are pressed by a wall or by few others, in some three steps, and would leave with more than they brought: a block
// that falls into a tank had four times its energy. Seen from afar this is a bulk viscosity that vanishes with the
// steps.
//
// Particles that are put down squeezed, where a lattice does not fit its shape or an emitter adds to what is there,
// would burst: a tenth of compression has the energy of 3 v. So pressure is that of delta / D, where D is the density
// at birth, falls with delta, and is forgotten in the time in which the fluid passes one spacing. D also rises by what
// particles that are born add to the density of those around them.
#include <algorithm>
#include <cmath>

#include "base/reductions.h"
#include "pressure/fields.h"
#include "pressure/wcsph/state.h"

namespace loam {
namespace {

class Wcsph : public PressureSolver {
public:
    explicit Wcsph(const PressureSetup& setup) : state_(setup), speed_(setup.expected_speed) {}

    void prepare(StepContext& step) override {
        fields_.declare(step, PressureFields::Use::once);
        squeezed_ = step.particles.declare<float>({.name = "squeezed", .saved = true, .at_birth = just_born});
        before_ = step.particles.declare<float>({.name = "density_before", .saved = true, .at_birth = just_born});
        by_born_ = step.particles.declare<float>({.name = "density_by_born"});
    }

    void find_densities(StepContext& step) override { fields_.find_densities_alone(step); }

    void begin(StepContext& step) override {
        step.profile.time("density", [&] { fields_.find_densities(step); });
        forget_squeeze(step);
        stats_.iterations = 1;
        stats_.volume_error = fields_.mean_compression(step, stats_.largest_volume_error);
    }

    void forces(StepContext& step) override {
        Pool& pool = step.particles;
        const auto density = pool[pool.density], squeezed = pool[squeezed_], before = pool[before_];
        const auto pressure = pool[pool.pressure]; // p / delta^2
        const auto share = step.flow.share.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            const float risen = before[i] == just_born ? 0 : density[i] - before[i];
            before[i] = density[i];
            const float part = step.flow.all ? 1 : share[i];
            const float p = state_.pressure(pool.rest_density(i), (density[i] + ahead * risen) / squeezed[i]);
            pressure[i] = part > 0 && density[i] > 0 ? part * p / (density[i] * density[i]) : 0; // leaders have neither
        });
        step.profile.time("pressure", [&] {
            fields_.find_push(step, PressureFields::places_now(step), pool.pressure, pool.acceleration, Put::add);
        });
    }

    TimeStepLimit time_step(const StepContext& step) const override { return state_.time_step(step); }

    bool is_explicit() const override { return true; }

private:
    void forget_squeeze(StepContext& step) {
        Pool& pool = step.particles;
        const auto density = pool[pool.density], squeezed = pool[squeezed_], by_born = pool[by_born_],
                   before = pool[before_];
        if (parallel_max(pool.size(), [&](std::size_t i) { return std::abs(squeezed[i] - 1); }) == 0) return; // mostly
        const auto born = [&](std::size_t i) { return squeezed[i] == just_born; };
        const bool some = parallel_max(pool.size(), born) > 0;
        if (some) fields_.find_densities_by(step, born, by_born_);
        const double speed = std::clamp(pool.fastest(), 0.1 * speed_, speed_);
        const auto left = static_cast<float>(std::exp(-step.dt * speed / step.scene.spacing));
        parallel_each(pool.size(), [&](std::size_t i) {
            const float now = std::max(density[i], 1.0f);
            const float last = some ? squeezed[i] + by_born[i] : squeezed[i];
            const float more = left * (std::min(last, now) - 1);
            squeezed[i] = born(i) ? now : more > forgotten ? 1 + more : 1;
            if (some && before[i] != just_born) before[i] += by_born[i];
        });
    }

    static constexpr float just_born = -1;
    static constexpr float ahead = 0.5f;      // steps
    static constexpr float forgotten = 1e-5f; // rounding would keep what is less for ever

    EquationOfState state_;
    double speed_;
    PressureFields fields_;
    Column<float> squeezed_; // D; `just_born` for what was born in this step
    Column<float> before_;   // delta of the step before; `just_born` for what was born since
    Column<float> by_born_;  // density that those add
};

std::unique_ptr<PressureSolver> make_wcsph(const PressureSetup& setup) {
    return setup.values.text("density") == "carried" ? make_carried(setup) : std::make_unique<Wcsph>(setup);
}

const RegisterPressure wcsph{{
    .declaration =
        {.name = "wcsph",
         .help = "Weakly compressible: an equation of state, many small and cheap steps.",
         .properties =
             {number("volume_error", "", 0.01, {1e-8, 0.5},
                     "Compression at the fastest speed expected; steps are as short as its root."),
              choice("state", {"tait", "linear"}, "Equation of state."),
              choice("density", {"summed", "carried"},
                     "Summed over neighbors at their places, or carried along by each particle and changed by "
                     "the divergence of velocities: then pressure does not resist shear and waves last, at "
                     "about three times the cost. A tank that is full and sealed needs negative_pressure with "
                     "it. Leave shifting at 0, and fluids at densities that differ by ten times at most."),
              number("sound_speed", "m/s", 0, not_negative,
                     "Speed of sound; 0 derives it from volume_error and the fastest speed expected."),
              flag("negative_pressure", false,
                   "Whether the fluid may pull: for tanks that are full and sealed. A free surface would draw itself "
                   "together.")}},
    .make = make_wcsph,
}};

} // namespace
} // namespace loam
