// Telling of work that goes frame by frame, to people on a terminal and to programs: for `loam surface`, `loam export`,
// `loam foam`.
#pragma once

#include <chrono>
#include <functional>

#include "cache/frame_sequence.h"
#include "commands.h"
#include "terminal.h"

namespace loam {

// A line of progress that rewrites itself on a terminal, and a line at the end.
class SequenceProgress {
public:
    void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames);
    void frame_done(std::uint64_t frame, std::size_t done);
    void warned(const std::string& text) { say("loam: warning: " + text); }
    void ended(const SequenceOutcome& outcome);
    void clear() const;

    std::size_t particles = 0;             // done so far, for the speed
    std::function<std::string()> produced; // "1.2M triangles", for the end

private:
    double seconds() const;
    void say(const std::string& line) const;

    bool live_ = on_a_terminal();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::string output_;
    std::size_t count_ = 0;
    std::uint64_t last_ = 0;
};

// Events as JSON on stdout, one per line.
class SequenceEvents {
public:
    static void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames);
    static void warned(const std::string& text);
    static void ended(const SequenceOutcome& outcome);
};

// Either of them, for a kind of watcher of such work.
template <class Watcher> class SequenceTeller : public Watcher {
public:
    SequenceTeller(SequenceProgress& progress, bool json) : progress_(progress), json_(json) {}

    void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) override {
        if (json_)
            SequenceEvents::begun(output, frames);
        else
            progress_.begun(output, frames);
    }
    void frame_done(std::uint64_t frame, std::size_t done) override {
        if (!json_) progress_.frame_done(frame, done);
    }
    void warned(const std::string& text) override {
        if (json_)
            SequenceEvents::warned(text);
        else
            progress_.warned(text);
    }

protected:
    SequenceProgress& progress_;
    bool json_;
};

// Runs work with the threads asked for, tells how it ends, and returns the exit code.
int finish_sequence(const MachineArguments& machine, bool json, SequenceProgress& progress,
                    const std::function<Result<SequenceOutcome>()>& work);

std::vector<std::string> split_names(const std::string& text); // at commas

} // namespace loam
