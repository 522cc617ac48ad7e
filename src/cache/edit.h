// An edit of a run: from a frame on it has another scene, and what came after that frame is taken away. It is written
// down as a whole before anything is done (the file `edit`). So an edit that was interrupted either did not happen, or
// is brought to its end when the run is opened again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "cache/log.h"
#include "cache/scene_history.h"

namespace loam {

Status edit_run(const std::filesystem::path& run, std::uint64_t frame, const std::string& scene);

// Does what is left of an edit that was interrupted; nothing where there is none.
Status finish_edit(const std::filesystem::path& run);

// scene.json, and those that held before it.
Result<SceneHistory> read_scenes(const std::filesystem::path& run);
Status write_scenes(const std::filesystem::path& run, const SceneHistory& scenes);

// The lines up to a frame; of frame 0, which another start makes anew, not even that.
Log log_up_to(Log log, std::uint64_t frame);

} // namespace loam
