// The folder of a run: scene, frames, checkpoints, log. What it promises, whenever the process dies or the disk fills
// up: every frame whose write_frame() returned is there and whole, and the run can go on from the last checkpoint.
//
// Going on never takes anything away first: frames behind the checkpoint stay until each is replaced, in one go, by the
// same frame computed again. So a second crash while going on loses nothing either.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cache/checkpoint.h"
#include "cache/frame.h"
#include "cache/log.h"

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
    const std::string& scene_text() const { return scene_text_; }

    // In this order for each frame: write_frame, append_log, then tell the user; now and then write_checkpoint.
    Status write_frame(const Columns& columns, const FrameHeader& header);
    Status append_log(const LogLine& line) { return log_.append(line); }
    // The state of the run right after a frame. The newest two are kept.
    Status write_checkpoint(std::uint64_t frame, const Columns& columns, const State& state);

    struct Restored {
        bool found = false;      // false: there is no usable checkpoint, start from the beginning
        std::uint64_t frame = 0; // the checkpoint was taken right after this frame
        State state;
    };
    // The newest whole checkpoint. A damaged one is set aside (renamed to *.damaged) with a warning, and the one before
    // is taken. A checkpoint that is whole but of another scene or program is an error.
    Result<Restored> restore(Columns& columns);

    // After the last frame: one line per frame in the log.
    Status finish();

    // For the user: what open() and restore() found and could go around.
    const std::vector<std::string>& warnings() const { return warnings_; }

private:
    RunFolder(std::filesystem::path folder, std::string scene_text, Descriptor lock, LogWriter log)
        : folder_(std::move(folder)), scene_text_(std::move(scene_text)), lock_(std::move(lock)), log_(std::move(log)) {
    }
    static Result<RunFolder> locked(const std::filesystem::path& folder, const std::string& scene_text,
                                    Descriptor lock);
    void warn_of_missing_frames(std::uint64_t last);

    std::filesystem::path folder_;
    std::string scene_text_;
    Descriptor lock_; // held as long as the object lives
    LogWriter log_;
    std::vector<std::string> warnings_;
};

// Looking at a run, also while it goes on.
// -----------------------------------------------------------------------------

bool is_run_folder(const std::filesystem::path& folder);
Error no_run_in(const std::filesystem::path& folder); // what to say where there is none
std::filesystem::path frame_path(const std::filesystem::path& folder, std::uint64_t frame);
std::vector<std::uint64_t> list_frames(const std::filesystem::path& folder); // in order
Result<std::string> read_scene_text(const std::filesystem::path& folder);
Result<Log> read_log(const std::filesystem::path& folder);

} // namespace loam
