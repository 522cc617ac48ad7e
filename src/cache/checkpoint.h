// Checkpoints: a snapshot of a simulation as a file, from which a run goes on bit for bit where it was.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "particles/snapshot.h"

namespace loam {

// `scene_hash` stands for all that the simulation came from: the checkpoint belongs to that only. Columns are let go of
// as they are written, so that they are in memory only once.
Status write_checkpoint(const std::filesystem::path& path, Snapshot snapshot, std::uint64_t scene_hash);

Result<Snapshot> read_checkpoint(const std::filesystem::path& path, std::uint64_t scene_hash);

} // namespace loam
