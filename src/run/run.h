// The run: from a scene and a folder to frames, log and checkpoints.
//
// Frame 0 shows the start, frame k the time k / fps. A run that was stopped, killed or ran out of disk goes on from its
// newest checkpoint and ends with the same bits as one that was never interrupted: checkpoints are only taken right
// after a frame, and both advance to exactly the same frame times.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/instruction_set.h"
#include "cache/run_folder.h"
#include "scene/scene.h"

namespace loam {

struct FrameRecord;
class Simulation;

// What watchers hear. References hold during the call only.
struct RunStart {
    const Scene& scene;
    const std::filesystem::path& folder;
    bool resumed;              // the frames up to `first_frame` are there already
    std::uint64_t first_frame; // what the run begins with or goes on from
    std::uint64_t last_frame;  // where it will stop
    std::size_t particles;
    std::size_t wall_particles;
    InstructionSet isa;
};

struct RunStep {
    std::uint64_t frame; // that is being worked on
    double time;         // simulated [s]
    std::size_t particles;
    std::size_t steps;     // in this session
    double particle_steps; // particles times steps, in this session
    double seconds;        // of this session
};

class RunWatcher {
public:
    virtual ~RunWatcher() = default;
    virtual void begun(const RunStart&) {}
    virtual void stepped(const RunStep&) {} // after each step: must be quick
    // The frame is safe on the disk, and the simulation shows it.
    virtual void frame_done(const FrameRecord&, const RunStep&, const Simulation&) {}
    virtual void warned(const std::string&) {}
};

struct RunOptions {
    std::optional<std::uint64_t> last_frame; // stop there; otherwise at the end of the scene
    std::optional<InstructionSet> isa;       // otherwise the best one, or the one that the run began with
    double checkpoint_seconds = 20;          // of computing between checkpoints; more often while they cost little
    std::optional<std::uint64_t> keep_checkpoints; // that of every so many frames; otherwise as the run remembers
    const std::atomic<bool>* stop = nullptr;       // looked at after each step
};

struct RunOutcome {
    bool finished = false;        // the last frame of the scene is there
    bool stopped = false;         // on request
    std::uint64_t frame = 0;      // the last one that is there
    std::uint64_t checkpoint = 0; // a resumed run goes on from this frame
    RunStep session{};
};

// Nothing is written before the scene has been sampled without error.
Result<RunOutcome> start_run(const Scene& scene, const std::filesystem::path& folder, RunFolder::Existing existing,
                             const RunOptions& options, RunWatcher& watcher);

// What is to be another way from a frame on.
struct RunChanges {
    std::optional<std::uint64_t> from; // otherwise the last frame that is there
    std::vector<std::string> set;      // PATH=VALUE
    std::string scene;                 // instead of `set`: the text of a scene (Scene::text); empty: none
    std::string take;                  // name of the take that gets it; empty: frames after `from` are replaced

    bool any() const { return from || !set.empty() || !scene.empty() || !take.empty(); }
};

// Goes on from the newest checkpoint; with changes, from the frame that they begin at. Watchers hear of a beginning
// before frames up to there are computed again, and of another one before those that are new.
Result<RunOutcome> resume_run(const std::filesystem::path& folder, const RunChanges& changes, const RunOptions& options,
                              RunWatcher& watcher);

} // namespace loam
