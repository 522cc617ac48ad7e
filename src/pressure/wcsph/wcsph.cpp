// Weakly compressible SPH: pressure follows from density by an equation of state and acts as a force.
//
//   tait    p = B (delta^7 - 1), B = rho0 c^2 / 7     Becker & Teschner 2007; L 3.6-3.7
//   linear  p = rho0 c^2 (delta - 1)                  B 3.18
//   a_i = -s_i sum_j V_j (p_i / delta_i^2 + p_j / delta_j^2) grad W_ij
//
// delta is the density as a multiple of the rest density rho0 [kg/m^3], c the speed of sound [m/s]. Compression goes
// with (v / c)^2, so c = v / sqrt(volume error) for the fastest speed v that the scene can reach.
#include "pressure/fields.h"
#include "pressure/wcsph/state.h"

namespace loam {
namespace {

class Wcsph : public PressureSolver {
public:
    explicit Wcsph(const PressureSetup& setup) : state_(setup) {}

    void prepare(StepContext& step) override { fields_.declare(step, PressureFields::Use::once); }

    void begin(StepContext& step) override {
        step.profile.time("density", [&] { fields_.find_densities(step); });
        stats_.iterations = 1;
        stats_.volume_error = fields_.mean_compression(step, stats_.largest_volume_error);
    }

    void forces(StepContext& step) override {
        Pool& pool = step.particles;
        const auto density = pool[pool.density];
        const auto pressure = pool[pool.pressure]; // p / delta^2
        const auto volume = pool[pool.volume], mass = pool[pool.mass];
        const auto share = step.flow.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            const float p = state_.pressure(mass[i] / volume[i], density[i]);
            pressure[i] = (step.all_flow ? 1 : share[i]) * p / (density[i] * density[i]);
        });
        step.profile.time("pressure", [&] {
            fields_.find_push(step, PressureFields::places_now(step), pool.pressure, pool.acceleration, true);
        });
    }

    TimeStepLimit time_step(const StepContext& step) const override { return state_.time_step(step); }

    bool is_explicit() const override { return true; }

private:
    EquationOfState state_;
    PressureFields fields_;
};

std::unique_ptr<PressureSolver> make_wcsph(const PressureSetup& setup) {
    return setup.values.text("density") == "carried" ? make_carried(setup) : std::make_unique<Wcsph>(setup);
}

const RegisterPressure wcsph{{
    .declaration =
        {.name = "wcsph",
         .help = "Weakly compressible: an equation of state, many small and cheap steps.",
         .properties = {choice("state", {"tait", "linear"}, "Equation of state."),
                        choice(
                            "density", {"summed", "carried"},
                            "Summed over neighbors at their places, or carried along by each particle and changed by "
                            "the divergence of velocities: then pressure does not resist shear and waves last, at "
                            "about three times the cost. Carried densities are for full tanks and calm surfaces: "
                            "where water breaks and falls back on itself the run may break down. A tank that is full "
                            "and sealed needs negative_pressure with it. Leave shifting at 0."),
                        number("sound_speed", "m/s", 0, not_negative,
                               "Speed of sound; 0 derives it from volume_error and the fastest speed expected."),
                        flag("negative_pressure", false, "Whether the fluid may pull (cohesion by pressure).")}},
    .make = make_wcsph,
}};

} // namespace
} // namespace loam
