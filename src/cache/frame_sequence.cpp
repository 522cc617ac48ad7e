#include "cache/frame_sequence.h"

#include <charconv>

#include <fmt/format.h>

#include "cache/durable.h"
#include "cache/run_folder.h"

namespace loam {
namespace {

// Empty text leaves the number as it is.
bool read_number(std::string_view text, std::optional<std::uint64_t>& to) {
    if (text.empty()) return true;
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    to = value;
    return failed == std::errc() && end == text.data() + text.size();
}

std::string range_text(std::uint64_t first, std::uint64_t last) {
    return first == last ? fmt::format("frame {}", first) : fmt::format("frames {} to {}", first, last);
}

} // namespace

Result<FrameRange> parse_frame_range(const std::string& text) {
    FrameRange range;
    const std::size_t dash = text.find('-');
    const std::string_view all(text);
    const bool good = dash == std::string::npos ? read_number(all, range.first) && read_number(all, range.last)
                                                : read_number(all.substr(0, dash), range.first) &&
                                                      read_number(all.substr(dash + 1), range.last);
    if (good && text != "-") return range;
    return Error{Fault::usage, "--frames", fmt::format("\"{}\" is not a range of frames", text),
                 "give A-B, A- or -B with numbers of frames, or one number"};
}

Result<std::vector<std::uint64_t>> chosen_frames(const std::filesystem::path& run, const FrameRange& range) {
    if (!is_run_folder(run)) return no_run_in(run);
    std::vector<std::uint64_t> frames = list_frames(run);
    if (frames.empty()) return Error{Fault::file, run.string(), "the run has no frames yet", ""};
    const std::string there = "there are " + range_text(frames.front(), frames.back());
    const std::uint64_t first = range.first.value_or(frames.front()), last = range.last.value_or(frames.back());
    if (first > last)
        return Error{Fault::usage, "--frames", fmt::format("{} comes after {}", first, last),
                     "give the first one first"};
    std::erase_if(frames, [&](std::uint64_t f) { return f < first || f > last; });
    std::uint64_t next = first;
    for (const std::uint64_t frame : frames) {
        if (frame != next) break;
        ++next;
    }
    if (next <= last)
        return Error{Fault::file, run.string(), fmt::format("frame {} is not there", next),
                     there + "; choose with --frames A-B"};
    return frames;
}

Result<SequenceOutcome> each_frame(const FrameSequence& sequence, SequenceWatcher& watcher,
                                   const std::function<Status(std::uint64_t frame)>& work) {
    if (Status made = make_folder(sequence.output); !made) return made.error();
    remove_unfinished(sequence.output);
    watcher.begun(sequence.output, sequence.frames);
    SequenceOutcome outcome;
    for (const std::uint64_t frame : sequence.frames) {
        if (sequence.stop && *sequence.stop) {
            outcome.stopped = true;
            break;
        }
        if (Status done = work(frame); !done) return done.error();
        watcher.frame_done(frame, ++outcome.frames);
    }
    return outcome;
}

} // namespace loam
