// loam surface: meshes of the surfaces in a run.
#include "surface/sequence.h"

#include <chrono>
#include <csignal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "exit_code.h"
#include "frame_range.h"
#include "machine.h"
#include "run/record.h"
#include "stop_signal.h"
#include "terminal.h"
#include "words.h"

namespace loam {
namespace {

class PeopleWatcher : public SurfaceWatcher {
public:
    void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) override {
        output_ = output.string();
        count_ = frames.size();
        last_ = frames.empty() ? 0 : frames.back();
    }
    void surface_done(const SurfaceRecord& record) override {
        triangles_ += record.triangles;
        particles_ += record.particles;
    }
    void frame_done(std::uint64_t frame, std::size_t done) override {
        if (!live_) return;
        const double left = seconds() / static_cast<double>(done) * static_cast<double>(count_ - done);
        const std::string line =
            fmt::format("{}: frame {}/{}, {} particles/s, {} left", output_, frame, last_,
                        short_count(static_cast<double>(particles_) / seconds()), duration_text(left));
        fmt::print(stderr, "\r\033[K{}", line.substr(0, std::max<std::size_t>(terminal_width(), 6) - 4));
        std::fflush(stderr);
    }
    void warned(const std::string& text) override { say("loam: warning: " + text); }
    void ended(const SurfaceOutcome& outcome) {
        say(fmt::format("{}: {}{} frame{}, {} triangles in {}", output_, outcome.stopped ? "stopped after " : "",
                        outcome.frames, outcome.frames == 1 ? "" : "s", short_count(static_cast<double>(triangles_)),
                        duration_text(seconds())));
    }
    void clear() {
        if (live_) fmt::print(stderr, "\r\033[K");
    }

private:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    void say(const std::string& line) {
        clear();
        fmt::print(stderr, "{}\n", line);
    }

    bool live_ = on_a_terminal();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::string output_;
    std::size_t count_ = 0, triangles_ = 0, particles_ = 0;
    std::uint64_t last_ = 0;
};

class JsonWatcher : public SurfaceWatcher {
public:
    void begun(const std::filesystem::path& output, std::span<const std::uint64_t> frames) override {
        tell({{"event", "start"}, {"folder", output.string()}, {"frames", frames.size()}});
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
        line["particle_volume"] = json_number(r.particle_volume);
        line["seconds"] = json_number(r.seconds);
        tell(line);
    }
    void frame_done(std::uint64_t, std::size_t) override {}
    void warned(const std::string& text) override { tell({{"event", "warning"}, {"text", text}}); }
    void ended(const SurfaceOutcome& outcome) {
        tell({{"event", "end"}, {"stopped", outcome.stopped}, {"frames", outcome.frames}});
    }
    void failed(const Error& error) {
        LogLine line{{"event", "error"}, {"fault", name_of(error.fault)}, {"where", error.where}, {"what", error.what}};
        line["hint"] = error.hint;
        line["exit_code"] = static_cast<int>(exit_code(error.fault));
        tell(line);
    }

private:
    static void tell(const LogLine& line) {
        fmt::print("{}\n", line.dump(-1, ' ', false, LogLine::error_handler_t::replace));
        std::fflush(stdout);
    }
};

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(at, begin), text.size());
        if (end > begin) parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

Result<SurfaceJob> make_job(const SurfaceArguments& arguments) {
    SurfaceJob job{.run = arguments.folder, .output = arguments.output, .settings = arguments.set};
    if (!arguments.method.empty()) job.method = arguments.method;
    if (Status read = Done{};
        !arguments.frames.empty() && !(read = read_frame_range(arguments.frames, job.first, job.last)))
        return read.error();
    if (arguments.cell && !(*arguments.cell > 0 && *arguments.cell < 1e30))
        return Error{Fault::usage, "--cell", fmt::format("{} is not a size", *arguments.cell),
                     "give the size of a cell in m, more than 0; the particles' radius is a good one"};
    job.options.cell = arguments.cell.value_or(0);
    job.options.smoothing = arguments.smooth;
    job.options.memory_limit = 0.9 * free_memory();
    job.each_body = arguments.bodies == "each";
    if (!job.each_body) job.choice.bodies = split(arguments.bodies, ',');
    job.choice.columns = arguments.columns;
    const auto isa = instruction_set(arguments.machine);
    if (!isa) return isa.error();
    job.options.isa = isa->value_or(best_instruction_set());
    job.stop = &watch_for_stop();
    return job;
}

int end(const SurfaceOutcome& outcome) {
    if (!outcome.stopped) return exit_ok;
    return stop_signal() == SIGTERM ? exit_terminated : exit_interrupted;
}

} // namespace

std::string surface_method_names() {
    std::string names = default_surface_method;
    for (const auto& method : SurfaceMethods::all())
        if (method->declaration.name != default_surface_method) names += ", " + method->declaration.name;
    return names;
}

int surface(const SurfaceArguments& arguments) {
    PeopleWatcher people;
    JsonWatcher programs;
    SurfaceWatcher& watcher = arguments.json ? static_cast<SurfaceWatcher&>(programs) : people;
    const auto fail = [&](const Error& error) {
        people.clear();
        if (arguments.json) programs.failed(error);
        return complain(error);
    };
    const Result<SurfaceJob> job = make_job(arguments);
    if (!job) return fail(job.error());
    return with_threads(arguments.machine, [&]() -> int {
        const Result<SurfaceOutcome> outcome = make_surfaces(*job, watcher);
        if (!outcome) return fail(outcome.error());
        if (arguments.json)
            programs.ended(*outcome);
        else
            people.ended(*outcome);
        return end(*outcome);
    });
}

} // namespace loam
