// From a scene to the parts of a simulation: facts, particles, laws. Each function makes one of them from those before
// it; Simulation::set_up() is their order.
#pragma once

#include "neighbors/neighborhood.h"
#include "passes/scene_facts.h"
#include "pressure/solver.h"
#include "scene/scene.h"
#include "step/laws.h"
#include "timeline/timeline.h"

namespace loam {

// An error where a body is made of nothing.
Result<SceneFacts> facts_of(const Scene& scene, InstructionSet isa);
// The steps that a law may expect before the first one; laws must have told who flows.
void expect_steps(const Scene& scene, const PressureSolver& pressure, const StepContext& step, SceneFacts& facts);

Result<std::unique_ptr<PressureSolver>> make_pressure(const Scene& scene);
std::unique_ptr<Neighborhood> make_neighborhood(const Scene& scene, const SceneFacts& facts,
                                                const PressureSolver& pressure);

// The particles that bodies have at the start.
Status fill_bodies(const Scene& scene, const SceneFacts& facts, Pool& pool);

// What the bodies name, and what that implies; not prepared yet.
void make_laws(const Scene& scene, StepContext& step, Timeline& timeline, Laws& laws);
// Lets the solver ask the laws of solids that bear pushes as a whole, if it does.
void ask_bearers(const Laws& laws, StepContext& step, PressureSolver& pressure);

} // namespace loam
