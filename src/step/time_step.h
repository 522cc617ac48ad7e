// How long a step is: as long as what moves, pressure and laws allow, and so that frames are met exactly.
#pragma once

#include "passes/context.h"
#include "pressure/solver.h"
#include "scene/scene.h"
#include "step/laws.h"
#include "step/sources.h"

namespace loam {

// Chooses step.dt for a step that must not go beyond `limit`; returns what it is limited by, for the log. An error
// where steps would have to be shorter than the scene allows.
Result<std::string> choose_time_step(const Scene& scene, const PressureSolver& pressure, const Laws& laws,
                                     const Sources& sources, StepContext& step, double limit);

// Whether a step of fixed length made sense: nothing moved farther than any `cfl` would let it.
Status check_held(const Scene& scene, const StepContext& step, double farthest);

} // namespace loam
