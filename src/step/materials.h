// What the bodies of a scene are made of.
#pragma once

#include "behaviors/behavior.h"
#include "scene/scene.h"

namespace loam {

// The first of its behaviors that is a material, or null.
const BehaviorUse* material_of(const Scene& scene, const BodySpec& body);
// Of all its materials, by their weights.
double rest_density(const Scene& scene, const BodySpec& body, double time = 0);

// Whether all of the body takes part in the pressure solve, at all times; and whether any of it may at some time.
bool always_flows(const Scene& scene, const BodySpec& body);
bool may_flow(const Scene& scene, const BodySpec& body);

// The fastest speed that the scene can be expected to reach [m/s]: what behaviors can bring a body to, on top of the
// speeds that bodies, emitters and walls start with.
double expected_speed(const Scene& scene);

Error within(Error error, const std::string& path); // with the path before its place

} // namespace loam
