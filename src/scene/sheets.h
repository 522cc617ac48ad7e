// The bodies of a scene that are sheets, and which particles they are: sheets get their ids before all others, in the
// order of bodies, so that the points of a sheet can be told in any frame.
#pragma once

#include "particles/sheet.h"
#include "scene/scene.h"

namespace loam {

std::vector<BodySheet> sheets_of(const Scene& scene); // by body

} // namespace loam
