// Equations of state: pressure from density.
#pragma once

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

    float pressure(float rest_density, float delta) const {
        const float stiffness = rest_density * static_cast<float>(sound * sound), d2 = delta * delta;
        const float p = tait ? stiffness / 7 * (d2 * d2 * d2 * delta - 1) : stiffness * (delta - 1);
        return p < 0 && !negative ? 0 : p;
    }
    TimeStepLimit time_step(const StepContext& step) const {
        return {0.4 * 0.5 * step.kernel.support / (sound * 1.1), "sound"};
    }
};

std::unique_ptr<PressureSolver> make_carried(const PressureSetup& setup);

} // namespace loam
