// How a simulation begins: whether it can as it is laid out, and what is put right before the first step.
#pragma once

#include "passes/context.h"
#include "pressure/solver.h"
#include "scene/scene.h"
#include "step/sources.h"

namespace loam {

// What the scene says of how particles move at the start, where it differs from place to place.
Status give_start_velocities(const Scene& scene, Pool& pool);
// Elastic bodies to where they begin; their laws must know how they are at rest.
Status displace_start(const Scene& scene, Pool& pool);

// Bodies apart from each other and out of walls, inside of the domain, not too coarse for their particles. `doubts`
// gets what is odd and yet can begin.
Status check_start(const Scene& scene, StepContext& step, const Sources& sources, Neighborhood& neighborhood,
                   std::vector<Error>& doubts);

// Behaviors, groups and pins that would do nothing.
Status check_effects(const Scene& scene, const Pool& pool, std::vector<Error>& doubts);

// The same for emitters alone: where a simulation goes on, bodies are where they have come to.
Status check_emitters(const Scene& scene, StepContext& step, const Sources& sources, Neighborhood& neighborhood);

// Moves apart what was put down squeezed, where a lattice does not fit its shape.
Status settle_start(const Scene& scene, PressureSolver& pressure, Neighborhood& neighborhood, StepContext& step);

// Particles of a closed vessel stand for no more than it holds; with the densities of the start.
void fit_into_vessel(const Scene& scene, const PressureSolver& pressure, Pool& pool, const Flow& flow);

} // namespace loam
