#include <algorithm>
#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "base/text.h"
#include "progress_line.h"
#include "run/record.h"
#include "run/story.h"
#include "tell_people.h"
#include "terminal.h"
#include "watchers.h"
#include "words.h"

namespace loam {
namespace {

// How fast something grows, over about the last ten seconds: what a run did at its start says little about its end.
class Rate {
public:
    double update(double amount, double seconds) {
        const double passed = seconds - seconds_, memory = 10;
        if (passed <= 0) return value_;
        const double now = (amount - amount_) / passed, weight = std::max(passed / (memory + passed), passed / seconds);
        value_ += (now - value_) * weight;
        amount_ = amount, seconds_ = seconds;
        return value_;
    }

private:
    double amount_ = 0, seconds_ = 0, value_ = 0;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

class PeopleTeller : public Teller {
public:
    explicit PeopleTeller(int threads) : threads_(threads), live_(on_a_terminal()), unicode_(speaks_unicode()) {}

    void begun(const RunStart& start) override {
        folder_ = start.folder.string();
        progress_.name = printable(start.folder.filename().string());
        progress_.last_frame = start.last_frame;
        fps_ = start.scene.values.number("fps");
        start_time_ = static_cast<double>(start.first_frame) / fps_;
        end_time_ = static_cast<double>(start.last_frame) / fps_;
        const std::string walls =
            start.wall_particles ? fmt::format(" + {} on walls", short_count(static_cast<double>(start.wall_particles)))
                                 : "";
        say(fmt::format("{}: {} particles{}, {}, {} thread{}, {}", folder_, grouped(start.particles), walls,
                        start.scene.pressure, threads_, threads_ == 1 ? "" : "s", name_of(start.isa)));
        resumed_ = start.resumed;
        if (resumed_ && start.first_frame < start.last_frame)
            say(fmt::format("{}: going on after frame {}", folder_, start.first_frame));
    }

    void stepped(const RunStep& step) override {
        if (live_ && step.seconds - shown_ > 0.1) show(step, step.frame - 1);
    }
    void frame_done(const FrameRecord& record, const RunStep& session, const Simulation&) override {
        if (!foretold_ && session.seconds > first_seconds && session.time > start_time_) foretell(record, session);
        if (live_) show(session, session.frame);
    }

    void warned(const std::string& text) override { say("loam: warning: " + text); }

    void drawing(std::size_t done, std::size_t all) override {
        if (done == 1) drawing_since_ = Clock::now();
        const double each = done > 1 ? seconds_since(drawing_since_) / static_cast<double>(done - 1) : 0;
        const double left = each * static_cast<double>(all - done);
        if (done == 3 && left > 5)
            say(fmt::format("preview: drawing {} frames takes about {}; Ctrl-C ends it, --no-video leaves it out", all,
                            duration_text(each * static_cast<double>(all))));
        if (!live_) return;
        const Progress drawn{.name = "preview",
                             .fraction = static_cast<double>(done) / static_cast<double>(all),
                             .frame = done,
                             .last_frame = all,
                             .seconds_left = done > 2 ? left : -1,
                             .pictures = true};
        draw(drawn);
    }

    void preview_made(const PreviewMade& preview) override {
        std::string line = fmt::format("preview: {}, {} frames", preview.video.string(), preview.frames);
        if (preview.pictures < preview.frames)
            line += fmt::format(", of which {} are drawn; loam resume {} draws the others", preview.pictures,
                                shell_word(folder_));
        if (preview.seconds >= 1) line += fmt::format(", in {}", duration_text(preview.seconds));
        say(line);
    }

    void ended(const RunOutcome& outcome) override {
        const RunStep& session = outcome.session;
        if (resumed_ && session.steps == 0 && !outcome.stopped) {
            say(fmt::format("{}: {} is there already: nothing to do", folder_,
                            outcome.finished ? "the whole run" : fmt::format("frame {}", outcome.frame)));
            return;
        }
        const double speed = session.seconds > 0 ? session.particle_steps / session.seconds : 0;
        say(fmt::format("{}: {} {} in {}, {} steps, {} particle-steps/s", folder_,
                        outcome.stopped ? "stopped after frame" : "frames up to", outcome.frame,
                        duration_text(session.seconds), grouped(session.steps), short_count(speed)));
        if (outcome.finished) tell_what_happened();
        if (!outcome.finished)
            say(fmt::format("go on with: loam resume {}{}", shell_word(folder_),
                            outcome.checkpoint < outcome.frame
                                ? fmt::format("  (from its checkpoint at frame {})", outcome.checkpoint)
                                : ""));
    }

    void failed(const Error&) override { clear(); }

private:
    static constexpr double first_seconds = 2, short_run = 15;

    // Once, when the first frames have told.
    void foretell(const FrameRecord& record, const RunStep& session) {
        foretold_ = true;
        const double whole = session.seconds * (end_time_ - start_time_) / (session.time - start_time_);
        if (whole < short_run) return;
        say(fmt::format("{}: about {} in all, if it goes on so; steps of {} s limited by {}", folder_,
                        duration_text(whole), rounded(record.report.mean_dt), record.report.dt_reason));
    }

    void tell_what_happened() {
        std::string line;
        for (const std::string& one : what_happened(folder_)) line += (line.empty() ? "" : "; ") + one;
        if (!line.empty()) say(folder_ + ": " + line);
    }

    void show(const RunStep& step, std::uint64_t frame) {
        const double simulated = step.time - start_time_, whole = end_time_ - start_time_;
        const double pace = pace_.update(simulated, step.seconds);
        progress_.frame = frame;
        progress_.time = step.time;
        progress_.fraction = end_time_ > 0 ? step.time / end_time_ : 1;
        progress_.particles = step.particles;
        progress_.speed = speed_.update(step.particle_steps, step.seconds);
        progress_.seconds_left = pace > 0 && step.seconds > 1 ? std::max(0.0, whole - simulated) / pace : -1;
        shown_ = step.seconds;
        draw(progress_);
    }

    void draw(const Progress& progress) {
        // Some columns stay free: terminals wrap at the last one, and show a ^C there.
        const std::size_t width = std::max<std::size_t>(terminal_width(), 6) - 4;
        tell_people("\r\033[K{}", progress_line(progress, width, unicode_));
        std::fflush(stderr);
        drawn_ = true;
    }

    void clear() {
        if (drawn_) tell_people("\r\033[K");
        drawn_ = false;
    }

    void say(const std::string& line) {
        clear();
        tell_people("{}\n", printable(line));
    }

    int threads_;
    bool live_, unicode_, drawn_ = false, resumed_ = false, foretold_ = false;
    std::string folder_;
    Progress progress_;
    double fps_ = 1, start_time_ = 0, end_time_ = 0, shown_ = 0;
    Rate pace_, speed_;
    Clock::time_point drawing_since_;
};

} // namespace

std::unique_ptr<Teller> tell_people(int threads) { return std::make_unique<PeopleTeller>(threads); }

} // namespace loam
