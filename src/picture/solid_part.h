// What of a body is solid in a frame, particle by particle: where the weight of `elastic` or `rigid` is keyed over what
// particles are, a part of it may be solid while the rest has melted or dissolved.
#pragma once

#include <vector>

#include "cache/frame.h"
#include "scene/scene.h"

namespace loam {

// The weight of its solid behaviors, by the rows of the frame; 0 for particles of other bodies.
std::vector<float> solid_weights(const Scene& scene, std::size_t body, const Frame& frame);

} // namespace loam
