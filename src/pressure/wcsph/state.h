// Equations of state: pressure from density.
#pragma once

#include <algorithm>
#include <cmath>

#include "pressure/solver.h"

namespace loam {

struct EquationOfState {
    bool tait, negative;
    double sound; // [m/s]

    explicit EquationOfState(const PressureSetup& setup)
        : tait(setup.values.text("state") == "tait"), negative(setup.values.flag("negative_pressure")),
          sound(setup.values.number("sound_speed") > 0 ? setup.values.number("sound_speed")
                                                       : setup.expected_speed / std::sqrt(setup.volume_error)) {}

    // Tait's pressure goes on along its tangent from here: impacts squeeze single particles to twice their density, at
    // which sound would be eight times as fast.
    static constexpr float stiffest = 1.1f;

    float pressure(float rest_density, float delta) const {
        const float stiffness = rest_density * static_cast<float>(sound * sound);
        if (!tait) return not_pulling(stiffness * (delta - 1));
        const float d = std::min(delta, stiffest), d2 = d * d, d6 = d2 * d2 * d2;
        return not_pulling(stiffness * ((d6 * d - 1) / 7 + d6 * (delta - d)));
    }
    TimeStepLimit time_step(const StepContext& step) const {
        return {0.4 * 0.5 * step.scene.kernel.support / (sound * 1.1), "sound"};
    }

private:
    float not_pulling(float p) const { return p < 0 && !negative ? 0 : p; }
};

std::unique_ptr<PressureSolver> make_carried(const PressureSetup& setup);

} // namespace loam
