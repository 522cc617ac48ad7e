// The folder of a run: scene, frames, checkpoints, log. What it promises, whenever the process dies or the disk fills
// up: every frame whose write_frame() returned is there and whole, and the run can go on from the last checkpoint.
//
// Going on never takes anything away first: frames behind the checkpoint stay until each is replaced, in one go, by the
// same frame computed again. So a second crash while going on loses nothing either. Only an edit takes frames away
// (edit.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cache/checkpoint.h"
#include "cache/frame.h"
#include "cache/log.h"
#include "cache/scene_history.h"

namespace loam {

class RunFolder {
public:
    enum class Existing { keep, replace };

    // A folder for a new run. One that holds anything but a run is never touched; one that holds a run is an error
    // unless it is to be replaced: then scene, frames, checkpoints and log are removed, and nothing else.
    static Result<RunFolder> create(const std::filesystem::path& folder, const std::string& scene_text,
                                    Existing existing);
    // The folder of a run that is to go on.
    static Result<RunFolder> open(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const SceneHistory& scenes() const { return scenes_; }

    // In this order for each frame: write_frame, append_log, then tell the user; now and then write_checkpoint.
    Status write_frame(const Columns& columns, const FrameHeader& header);
    Status append_log(const LogLine& line) { return log_.append(line); }
    // The state of the run right after a frame. The newest two are kept, and those that are to be kept.
    Status write_checkpoint(std::uint64_t frame, Snapshot snapshot);

    // That of every so many frames is to be kept; 0: none but the newest two. Remembered with the run.
    Status keep_checkpoints(std::uint64_t every);
    bool keeps_checkpoint(std::uint64_t frame) const { return keep_every_ > 0 && frame % keep_every_ == 0; }

    struct Checkpoint {
        std::uint64_t frame = 0; // it was taken right after this frame
        Snapshot snapshot;
    };
    // The newest whole checkpoint, of a frame up to `last`; none: start from the beginning. A damaged one is set aside
    // (renamed to *.damaged) with a warning, and the one before is taken. A checkpoint that is whole but of another
    // scene is an error.
    Result<std::optional<Checkpoint>> checkpoint(std::uint64_t last = UINT64_MAX);
    std::optional<std::uint64_t> checkpoint_frame(std::uint64_t last = UINT64_MAX) const; // of that, unread

    // Whether the frame is there and whole: reads all of it.
    bool has_frame(std::uint64_t frame) const;

    // From a frame on there is another scene; what came after is taken away. Happens as a whole or not at all.
    Status edit(std::uint64_t frame, const std::string& scene);

    // After the last frame: one line per frame in the log.
    Status finish();

    // For the user: what checkpoint() found and could go around, since the last call.
    std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

private:
    RunFolder(std::filesystem::path folder, SceneHistory scenes, Descriptor lock, LogWriter log)
        : folder_(std::move(folder)), scenes_(std::move(scenes)), lock_(std::move(lock)), log_(std::move(log)) {}
    static Result<RunFolder> locked(const std::filesystem::path& folder, Descriptor lock);

    std::filesystem::path folder_;
    SceneHistory scenes_;
    Descriptor lock_; // held as long as the object lives
    LogWriter log_;
    std::uint64_t keep_every_ = 0;
    std::vector<std::string> warnings_;
};

// Looking at a run, also while it goes on.
// -----------------------------------------------------------------------------

bool is_run_folder(const std::filesystem::path& folder);
Error no_run_in(const std::filesystem::path& folder); // what to say where there is none
std::filesystem::path frame_path(const std::filesystem::path& folder, std::uint64_t frame);
std::vector<std::uint64_t> list_frames(const std::filesystem::path& folder); // in order
Result<Log> read_log(const std::filesystem::path& folder);

} // namespace loam
