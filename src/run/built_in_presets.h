// Presets that are part of the program (presets/*.json).
#pragma once

#include <span>

#include "scene/scene.h"

namespace loam {

std::span<const Preset> built_in_presets();

} // namespace loam
