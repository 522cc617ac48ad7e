// loam surface: meshes of the surfaces in a run.
#include "surface/sequence.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "events.h"
#include "machine.h"
#include "run/record.h"
#include "sequence_tellers.h"
#include "stop_signal.h"
#include "words.h"

namespace loam {
namespace {

class PeopleWatcher : public SurfaceWatcher {
public:
    explicit PeopleWatcher(SequenceProgress& progress) : progress_(progress) {
        progress.produced = [this] { return short_count(static_cast<double>(triangles_)) + " triangles"; };
    }
    void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) override {
        progress_.begun(output, frames);
    }
    void surface_done(const SurfaceRecord& record) override {
        triangles_ += record.triangles;
        progress_.particles += record.particles;
    }
    void frame_done(std::uint64_t frame, std::size_t done) override { progress_.frame_done(frame, done); }
    void warned(const std::string& text) override { progress_.warned(text); }

private:
    SequenceProgress& progress_;
    std::size_t triangles_ = 0;
};

class JsonWatcher : public SurfaceWatcher {
public:
    void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) override {
        SequenceEvents::begun(output, frames);
    }
    void surface_done(const SurfaceRecord& r) override {
        LogLine line{
            {"event", "surface"}, {"file", r.file.string()}, {"frame", r.frame}, {"time", json_number(r.time)}};
        if (!r.body.empty()) line["body"] = r.body;
        line["particles"] = r.particles;
        line["vertices"] = r.vertices;
        line["triangles"] = r.triangles;
        line["area"] = json_number(r.area);
        line["volume"] = json_number(r.volume);
        line["particle_area"] = json_number(r.particle_area);
        line["particle_volume"] = json_number(r.particle_volume);
        line["seconds"] = json_number(r.seconds);
        tell_event(line);
    }
    void frame_done(std::uint64_t, std::size_t) override {}
    void warned(const std::string& text) override { SequenceEvents::warned(text); }
};

Result<SurfaceJob> make_job(const SurfaceArguments& arguments) {
    SurfaceJob job{.run = arguments.folder, .output = arguments.output, .settings = arguments.set};
    if (!arguments.method.empty()) job.method = arguments.method;
    const Result<FrameRange> range = parse_frame_range(arguments.frames);
    if (!range) return range.error();
    job.frames = *range;
    if (arguments.cell && !(*arguments.cell > 0 && *arguments.cell < 1e30))
        return Error{Fault::usage, "--cell", fmt::format("{} is not a size", *arguments.cell),
                     "give the size of a cell in m, more than 0; the particles' radius is a good one"};
    job.options.cell = arguments.cell.value_or(0);
    job.options.smoothing = arguments.smooth;
    job.options.memory_limit = 0.9 * free_memory();
    job.each_body = arguments.bodies == "each";
    if (!job.each_body) job.choice.bodies = split_names(arguments.bodies);
    job.choice.columns = arguments.columns;
    const auto isa = instruction_set(arguments.machine);
    if (!isa) return isa.error();
    job.options.isa = isa->value_or(best_instruction_set());
    job.stop = &watch_for_stop();
    return job;
}

} // namespace

std::string surface_method_names() {
    std::string names = default_surface_method;
    for (const auto& method : SurfaceMethods::all())
        if (method->declaration.name != default_surface_method) names += ", " + method->declaration.name;
    return names;
}

int surface(const SurfaceArguments& arguments) {
    SequenceProgress progress;
    PeopleWatcher people(progress);
    JsonWatcher programs;
    SurfaceWatcher& watcher = arguments.json ? static_cast<SurfaceWatcher&>(programs) : people;
    return finish_sequence(arguments.machine, arguments.json, progress, [&]() -> Result<SequenceOutcome> {
        const Result<SurfaceJob> job = make_job(arguments);
        if (!job) return job.error();
        return make_surfaces(*job, watcher);
    });
}

} // namespace loam
