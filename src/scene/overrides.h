// Changes to a scene's tree before it is checked: the chosen quality, then overrides such as
// bodies.water.behaviors.fluid.density=800.
#pragma once

#include "scene/blocks.h"
#include "scene/complaint.h"

namespace loam {

void apply_quality(json::Node& scene, const std::string& quality, Complaints& complaints);
void apply_override(json::Node& scene, const std::string& text, std::size_t source, const Grammar& grammar,
                    Complaints& complaints);

// Where an override may go on: paths that begin as this one does, one step further. A path ends in "." where more
// follows, and in "=" where a value does.
std::vector<std::string> paths_below(const std::string& scene_text, const Registries& registries,
                                     const std::string& path);

} // namespace loam
