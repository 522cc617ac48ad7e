// Whole steps of a scene beside whole steps of as much water, by a pressure solver.
#pragma once

#include <functional>
#include <string>

#include "scene/scene.h"

namespace loam {

void add_steps_beside_water(const std::string& part, std::size_t particles,
                            const std::function<Result<Scene>(std::size_t particles)>& scene,
                            const std::string& solver = "wcsph");

} // namespace loam
