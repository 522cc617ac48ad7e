// Takes: other ways on from a frame of a run. Each is the folder of a run of its own, RUN/takes/NAME, and shares the
// files of the frames that it has in common with the run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cache/scene_history.h"

namespace loam {

// Whether a take of this name can be made.
Status check_take(const std::filesystem::path& run, const std::string& name);

// What the run has up to a frame, with these scenes; returns its folder. There as a whole or not at all. A take from
// frame 0 is another start and has nothing yet.
Result<std::filesystem::path> make_take(const std::filesystem::path& run, const std::string& name, std::uint64_t frame,
                                        const SceneHistory& scenes);

std::vector<std::string> list_takes(const std::filesystem::path& run); // in the order of their names

} // namespace loam
