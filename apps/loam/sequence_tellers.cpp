#include "sequence_tellers.h"

#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "events.h"
#include "exit_code.h"
#include "machine.h"
#include "stop_signal.h"
#include "tell_people.h"
#include "terminal.h"
#include "words.h"

namespace loam {

double SequenceProgress::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

void SequenceProgress::begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) {
    output_ = output.string();
    count_ = frames.size();
    last_ = frames.empty() ? 0 : frames.back();
}

void SequenceProgress::frame_done(std::uint64_t frame, std::size_t done) {
    if (!live_) return;
    const double left = seconds() / static_cast<double>(done) * static_cast<double>(count_ - done);
    const std::string line = fmt::format("{}: frame {}/{}, {} particles/s, {} left", output_, frame, last_,
                                         short_count(static_cast<double>(particles) / seconds()), duration_text(left));
    tell_people("\r\033[K{}", line.substr(0, std::max<std::size_t>(terminal_width(), 6) - 4));
    std::fflush(stderr);
}

void SequenceProgress::ended(const SequenceOutcome& outcome) {
    say(fmt::format("{}: {}{} frame{}, {} in {}", output_, outcome.stopped ? "stopped after " : "", outcome.frames,
                    outcome.frames == 1 ? "" : "s", produced(), duration_text(seconds())));
}

void SequenceProgress::clear() const {
    if (live_) tell_people("\r\033[K");
}

void SequenceProgress::say(const std::string& line) const {
    clear();
    tell_people("{}\n", line);
}

void SequenceEvents::begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) {
    tell_event({{"event", "start"}, {"folder", output.string()}, {"frames", frames.size()}});
}

void SequenceEvents::warned(const std::string& text) { tell_event({{"event", "warning"}, {"text", text}}); }

void SequenceEvents::ended(const SequenceOutcome& outcome) {
    tell_event({{"event", "end"}, {"stopped", outcome.stopped}, {"frames", outcome.frames}});
}

int finish_sequence(const MachineArguments& machine, bool json, SequenceProgress& progress,
                    const std::function<Result<SequenceOutcome>()>& work) {
    return with_threads(machine, [&]() -> int {
        const Result<SequenceOutcome> outcome = work();
        if (!outcome) {
            progress.clear();
            if (json) tell_failure(outcome.error());
            return complain(outcome.error());
        }
        if (json)
            SequenceEvents::ended(*outcome);
        else
            progress.ended(*outcome);
        if (!outcome->stopped) return exit_ok;
        return stop_signal() == SIGTERM ? exit_terminated : exit_interrupted;
    });
}

std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

} // namespace loam
