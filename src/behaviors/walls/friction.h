// Friction and no slip along walls: a law of the walls, there for every material that touches one.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

// Acts with the time step, after the other forces and before pressure; needs StepContext::viscous to be filled.
class WallFriction : public Behavior {
public:
    Status prepare(StepContext& step) override;
    Status apply_implicit(StepContext& step) override;

private:
    float full_contact_ = 1;
    float cell_ = 0; // volume that particles of walls without one stand for; 0: all have one
};

} // namespace loam
