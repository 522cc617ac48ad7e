// Where particles and walls will be at the end of the step, for solvers that look at densities there.
#pragma once

#include "pressure/fields.h"

namespace loam {

class Prediction {
public:
    void declare(StepContext& step);
    // Walls at the end of the step, which no pressure changes.
    void move_walls(StepContext& step);
    // Particles at place + dt velocity + displacement.
    void move_particles(StepContext& step, Column<Float4> displacement);
    PressureFields::Places places(const StepContext& step) const;

private:
    Column<Float4> place_, wall_place_;
};

} // namespace loam
