// The one-layer bodies of a scene, and which particles they are: sheets get their ids before all others, in the order
// of bodies, so that the points of a sheet can be told in any frame.
#pragma once

#include <memory>

#include "particles/sheet.h"
#include "scene/scene.h"

namespace loam {

struct SceneSheet {
    std::shared_ptr<const Sheet> sheet; // null for bodies that fill a shape, and walls
    std::uint32_t first_id = 0;
};

std::vector<SceneSheet> sheets_of(const Scene& scene); // by body

} // namespace loam
