// One sitting of a run: the loop over frames, from the start or from a checkpoint.
#pragma once

#include <chrono>

#include "run/record.h"
#include "run/run.h"

namespace loam {

class Session {
public:
    Session(Simulation& simulation, RunFolder& folder, std::uint64_t last_frame, const RunOptions& options,
            RunWatcher& watcher);

    Result<RunOutcome> from_the_start();
    Result<RunOutcome> from_checkpoint(const RunFolder::Restored& restored);

private:
    using Clock = std::chrono::steady_clock;

    void announce(std::uint64_t first_frame, bool resumed);
    Result<RunOutcome> loop(std::uint64_t frame);
    Status advance_to(std::uint64_t frame);
    Status write(std::uint64_t frame);
    Status write_checkpoint(std::uint64_t frame);
    bool checkpoint_is_due() const;
    bool stop_wanted() const { return options_.stop && *options_.stop; }
    RunOutcome outcome(std::uint64_t frame, bool stopped);
    RunStep session_so_far(std::uint64_t frame) const;
    Error with_advice(Error error) const;

    Simulation& simulation_;
    RunFolder& folder_;
    const std::uint64_t last_frame_;
    const RunOptions& options_;
    RunWatcher& watcher_;

    Clock::time_point begun_ = Clock::now(), frame_begun_ = begun_, checkpointed_ = begun_;
    double checkpoint_cost_ = 0;              // seconds that the last one took
    std::optional<std::uint64_t> checkpoint_; // the newest one
    std::size_t steps_ = 0;
    double particle_steps_ = 0;
};

} // namespace loam
