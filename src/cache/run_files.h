// Names and places of the files of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cache/durable.h"

namespace loam::run_files {

inline std::filesystem::path mark(const std::filesystem::path& run) { return run / ".loam"; }
inline std::filesystem::path scene(const std::filesystem::path& run) { return run / "scene.json"; }
inline std::filesystem::path log(const std::filesystem::path& run) { return run / "log.jsonl"; }
inline std::filesystem::path frames(const std::filesystem::path& run) { return run / "frames"; }
inline std::filesystem::path checkpoints(const std::filesystem::path& run) { return run / "checkpoints"; }
inline std::filesystem::path past_scenes(const std::filesystem::path& run) { return run / "scenes"; }
inline std::filesystem::path edit(const std::filesystem::path& run) { return run / "edit"; }
inline std::filesystem::path options(const std::filesystem::path& run) { return run / "options.json"; }
inline std::filesystem::path takes(const std::filesystem::path& run) { return run / "takes"; }
inline std::filesystem::path foam(const std::filesystem::path& run) { return run / "foam"; }
inline std::filesystem::path foam_settings(const std::filesystem::path& run) { return foam(run) / "settings.json"; }
inline std::filesystem::path preview(const std::filesystem::path& run) { return run / "preview"; }

std::filesystem::path frame(const std::filesystem::path& run, std::uint64_t number);
std::filesystem::path checkpoint(const std::filesystem::path& run, std::uint64_t number);
std::filesystem::path past_scene(const std::filesystem::path& run, std::uint64_t number);
std::filesystem::path foam_frame(const std::filesystem::path& run, std::uint64_t number);
std::filesystem::path picture(const std::filesystem::path& run, std::uint64_t number); // of the preview

// The numbers of the files NUMBER.EXTENSION in a folder, in order.
std::vector<std::uint64_t> numbers(const std::filesystem::path& folder, std::string_view extension);
std::vector<std::uint64_t> frame_numbers(const std::filesystem::path& run);
std::vector<std::uint64_t> checkpoint_numbers(const std::filesystem::path& run);
std::vector<std::uint64_t> past_scene_numbers(const std::filesystem::path& run);
std::vector<std::uint64_t> foam_numbers(const std::filesystem::path& run);
std::vector<std::uint64_t> picture_numbers(const std::filesystem::path& run);

bool is_marked(const std::filesystem::path& run);

// Creates or opens the mark that makes a folder that of a run, and takes the lock on it, which the system drops when
// the process dies. An error when another process holds it.
Result<Descriptor> lock(const std::filesystem::path& run);
// An error when another process has the lock.
Status check_not_in_use(const std::filesystem::path& run);

void remove_unfinished(const std::filesystem::path& run);

// No error where it is not there.
Status remove_file(const std::filesystem::path& path);

// White water of frames after `last`, from the last one back; all of it if there is no last.
Status remove_foam(const std::filesystem::path& run, std::optional<std::uint64_t> last = {});

// Removes checkpoints, log, scenes, options, white water and frames, in an order that leaves no run that seems whole
// when it is interrupted.
Status remove_run(const std::filesystem::path& run);

} // namespace loam::run_files
