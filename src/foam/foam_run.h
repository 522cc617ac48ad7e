// White water of a run: DIR/foam/000123.vtkhdf beside the frames, in the layout of frames, with spray, foam and bubbles
// as bodies.
//
// A file is all that the next one is made from, beside the frames of the run. So it goes on wherever it stopped, and
// ends with the same bits. DIR/foam/settings.json tells what it was made with; where that changes, it begins again.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "cache/frame_sequence.h"
#include "foam/white_water.h"

namespace loam {

struct FoamRecord {
    std::uint64_t frame = 0;
    double time = 0;       // [s]
    std::size_t fluid = 0; // particles that it rides on
    std::size_t spray = 0, foam = 0, bubbles = 0;
    double seconds = 0; // that it took
};

class FoamRun {
public:
    // What is there and whole is kept, as long as the scene asks for the same.
    static Result<FoamRun> open(const Scene& scene, const std::filesystem::path& run, InstructionSet isa);

    std::uint64_t next() const { return next_; } // the first frame that has none yet
    // Makes the next one. Frames up to it must be there.
    Result<FoamRecord> make_next();
    Status make_up_to(std::uint64_t frame);

private:
    FoamRun(const Scene& scene, std::filesystem::path run, InstructionSet isa);
    Result<FluidFrame> fluid_at(std::uint64_t frame) const;
    Status go_on_from(std::uint64_t frame);
    Status write(std::uint64_t frame, double time) const;

    std::unique_ptr<const Scene> scene_;
    std::filesystem::path run_;
    double radius_; // of a drop [m]
    WhiteWaterMaker maker_;
    WhiteWater water_;
    std::optional<FluidFrame> fluid_; // that of water_
    std::uint64_t next_ = 0;
};

struct FoamJob {
    std::filesystem::path run;
    InstructionSet isa = InstructionSet::scalar;
    const std::atomic<bool>* stop = nullptr;
};

class FoamWatcher : public SequenceWatcher {
public:
    virtual void foam_done(const FoamRecord& record) = 0;
};

// White water for all frames of a run that have none: what `loam foam` does.
Result<SequenceOutcome> make_foam(const Scene& scene, const FoamJob& job, FoamWatcher& watcher);

// That of a frame; nothing where there is none.
Result<std::optional<Frame>> read_foam(const std::filesystem::path& run, std::uint64_t frame);

} // namespace loam
