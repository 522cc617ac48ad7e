// One sitting of a run: the loop over frames, from the start or from where the drive is.
#pragma once

#include <chrono>
#include <set>

#include "foam/foam_run.h"
#include "run/drive.h"
#include "run/record.h"
#include "run/run.h"

namespace loam {

struct FrameGoal {
    std::uint64_t last = 0; // where this sitting ends
    std::uint64_t all = 0;  // where the scene ends
};

class Session {
public:
    Session(Drive& drive, RunFolder& folder, FrameGoal goal, const RunOptions& options, RunWatcher& watcher);

    Result<RunOutcome> from_the_start();
    // From the newest checkpoint. Frames before it that are missing or damaged are computed again first.
    Result<RunOutcome> from_checkpoint();
    // From a frame that the drive is at and the folder has a checkpoint of.
    Result<RunOutcome> from_here();

    // Brings the drive to a frame that was there, from the nearest checkpoint. Frames that are missing before it, or
    // damaged, are computed again.
    Status back_to(std::uint64_t frame);
    // So far, if that is the last frame that is there.
    RunOutcome outcome(std::uint64_t frame, bool stopped) const;

private:
    using Clock = std::chrono::steady_clock;

    void announce(bool resumed);
    Result<RunOutcome> loop();
    Status advance();
    Status write();
    Status make_foam(std::uint64_t last);
    Status write_checkpoint();
    Result<bool> place_at_newest();
    Status place(std::uint64_t last);
    Status compute_again(std::uint64_t frame);
    Status mend(std::uint64_t last);
    bool is_whole(std::uint64_t frame) const { return logged_.count(frame) > 0 && folder_.has_frame(frame); }
    bool checkpoint_is_due() const;
    bool stop_wanted() const { return options_.stop && *options_.stop; }
    RunStep session_so_far(std::uint64_t frame) const;
    Error with_advice(Error error) const;

    Drive& drive_;
    RunFolder& folder_;
    const FrameGoal goal_;
    const RunOptions& options_;
    RunWatcher& watcher_;

    Clock::time_point begun_ = Clock::now(), frame_begun_ = begun_, checkpointed_ = begun_;
    std::set<std::uint64_t> logged_;          // frames that the log has a line of
    double checkpoint_cost_ = 0;              // seconds that the last one took
    std::optional<std::uint64_t> checkpoint_; // the newest one
    bool announced_ = false;
    std::optional<FoamRun> foam_; // where the scene asks for white water, from the first frame on that needs some
    std::size_t steps_ = 0;
    double particle_steps_ = 0;
};

} // namespace loam
