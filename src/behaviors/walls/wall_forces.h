// Walls that act by forces on the particles near them: the methods lennard-jones and dem, and adhesion.
#pragma once

#include "behaviors/behavior.h"

namespace loam {

// Null when no wall of the scene asks for any of them. Not a behavior of a body: walls have it, and it acts on all.
std::unique_ptr<Behavior> make_wall_forces(const StepContext& step);

} // namespace loam
