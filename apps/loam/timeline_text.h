// The timeline of a scene, drawn as text: a line for each value that is keyed.
#pragma once

#include <string>

#include "scene/scene.h"

namespace loam {

std::string timeline_text(const Scene& scene); // empty when nothing is keyed

} // namespace loam
