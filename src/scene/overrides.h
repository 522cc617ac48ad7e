// Changes to a scene's tree before it is checked: the chosen quality, then overrides such as
// bodies.water.behaviors.fluid.density=800.
#pragma once

#include "scene/blocks.h"
#include "scene/complaint.h"

namespace loam {

void apply_quality(json::Node& scene, const std::string& quality, Complaints& complaints);
void apply_override(json::Node& scene, const std::string& text, std::size_t source, const Grammar& grammar,
                    Complaints& complaints);

} // namespace loam
