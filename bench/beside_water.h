// Whole steps of a scene beside whole steps of as much wcsph water.
#pragma once

#include <functional>
#include <string>

#include "scene/scene.h"

namespace loam {

void add_steps_beside_water(const std::string& part, std::size_t particles,
                            const std::function<Result<Scene>(std::size_t particles)>& scene);

} // namespace loam
