// The columns that tell what a particle holds of each solute of a scene.
#pragma once

#include <string>

namespace loam {

// As a part of its volume, from 0 to 1.
inline std::string concentration_column(const std::string& solute) { return "concentration_" + solute; }

} // namespace loam
