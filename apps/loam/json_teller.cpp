#include <nlohmann/json.hpp>

#include "events.h"
#include "run/record.h"
#include "watchers.h"

namespace loam {
namespace {

class JsonTeller : public Teller {
public:
    explicit JsonTeller(int threads) : threads_(threads) {}

    void begun(const RunStart& start) override {
        LogLine line{{"event", "start"}, {"scene", start.scene.file}, {"folder", start.folder.string()}};
        line["resumed"] = start.resumed;
        line["first_frame"] = start.first_frame;
        line["last_frame"] = start.last_frame;
        line["fps"] = start.scene.values.number("fps");
        line["particles"] = start.particles;
        line["wall_particles"] = start.wall_particles;
        line["threads"] = threads_;
        line["simd"] = name_of(start.isa);
        tell_event(line);
    }

    // Where frames take long, whoever watches hears that it goes on.
    void stepped(const RunStep& step) override {
        if (step.seconds < told_ + 1) return;
        told_ = step.seconds;
        LogLine line{{"event", "progress"}, {"frame", step.frame}};
        line["time"] = json_number(step.time);
        line["particles"] = step.particles;
        line["steps"] = step.steps;
        line["session_seconds"] = json_number(step.seconds);
        tell_event(line);
    }

    void frame_done(const FrameRecord& record, const RunStep& session, const Simulation&) override {
        LogLine line{{"event", "frame"}};
        line.update(log_line(record));
        line["session_seconds"] = json_number(session.seconds);
        tell_event(line);
        told_ = session.seconds;
    }

    void preview_made(const PreviewMade& preview) override {
        LogLine line{{"event", "preview"}, {"file", preview.video.string()}};
        line["pictures"] = preview.pictures;
        line["frames"] = preview.frames;
        line["seconds"] = json_number(preview.seconds);
        tell_event(line);
    }
    void warned(const std::string& text) override { tell_event({{"event", "warning"}, {"text", text}}); }

    void ended(const RunOutcome& outcome) override {
        LogLine line{{"event", "end"}, {"finished", outcome.finished}, {"stopped", outcome.stopped}};
        line["frame"] = outcome.frame;
        line["checkpoint"] = outcome.checkpoint;
        line["steps"] = outcome.session.steps;
        line["particle_steps"] = json_number(outcome.session.particle_steps);
        line["session_seconds"] = json_number(outcome.session.seconds);
        tell_event(line);
    }

    void failed(const Error& error) override { tell_failure(error); }

private:
    int threads_;
    double told_ = 0; // seconds of the session
};

} // namespace

std::unique_ptr<Teller> tell_programs(int threads) { return std::make_unique<JsonTeller>(threads); }

} // namespace loam
