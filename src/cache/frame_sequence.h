// Going through the frames of a run, one file or more for each: what `loam surface` and `loam export` share.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace loam {

struct FrameRange { // both included; empty: from the first, to the last that is there
    std::optional<std::uint64_t> first, last;
};

// A-B, A-, -B or A; empty: all.
Result<FrameRange> parse_frame_range(const std::string& text);

// The frames that are asked for; all of them must be there.
Result<std::vector<std::uint64_t>> chosen_frames(const std::filesystem::path& run, const FrameRange& range);

class SequenceWatcher {
public:
    virtual ~SequenceWatcher() = default;
    virtual void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) = 0;
    virtual void frame_done(std::uint64_t frame, std::size_t done) = 0;
    virtual void warned(const std::string& text) = 0;
};

struct SequenceOutcome {
    std::size_t frames = 0;
    bool stopped = false;
};

struct FrameSequence {
    std::filesystem::path output; // made if it is not there; what crashed writers left in it is removed
    std::vector<std::uint64_t> frames;
    const std::atomic<bool>* stop = nullptr; // looked at between frames
};
Result<SequenceOutcome> each_frame(const FrameSequence& sequence, SequenceWatcher& watcher,
                                   const std::function<Status(std::uint64_t frame)>& work);

} // namespace loam
