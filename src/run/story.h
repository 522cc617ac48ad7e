// What happened in a run, in words.
#pragma once

#include <string>
#include <vector>

#include "cache/log.h"
#include "scene/scene.h"

namespace loam {

// From its log, as far as it goes: one short sentence each.
std::vector<std::string> what_happened(const Log& log, const Scene& scene);
// In the run of a folder; nothing where it cannot be read.
std::vector<std::string> what_happened(const std::filesystem::path& folder);

} // namespace loam
