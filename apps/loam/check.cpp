// loam check: everything that can be known of a scene without running it.
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "commands.h"
#include "events.h"
#include "exit_code.h"
#include "machine.h"
#include "run/record.h"
#include "run/summary.h"
#include "scene_file.h"
#include "timeline_text.h"
#include "words.h"

namespace loam {
namespace {

std::string body_line(const SceneSummary::Body& body, int dimensions) {
    std::string text =
        body.wall ? fmt::format("{} particles on a {}", grouped(body.particles), body.moves ? "moving wall" : "wall")
                  : grouped(body.particles) + " particles";
    if (body.shape_volume)
        text += fmt::format(", volume {} of {} m^{}", rounded(*body.sampled_volume), rounded(*body.shape_volume),
                            dimensions);
    if (body.soaking) text += ", soaks in " + duration_text(*body.soaking);
    if (body.draining)
        text += std::isfinite(*body.draining) ? ", drains in " + duration_text(*body.draining)
                                              : ", holds its water by suction";
    if (body.emitters) text += fmt::format(", {} emitter{}", body.emitters, body.emitters == 1 ? "" : "s");
    return text;
}

// "about 3:20, limited by elastic waves; 8 times faster with bodies.ball.behaviors.elastic.integration=implicit"
std::string run_text(const RunEstimate& estimate) {
    std::string text = fmt::format("about {} on this machine, steps of {} s limited by {}",
                                   duration_text(estimate.seconds), rounded(estimate.time_step), estimate.limited_by);
    if (!estimate.faster_by.empty())
        text += fmt::format("; {:.1f} times faster with --set {}={}", estimate.times_faster, estimate.faster_by,
                            estimate.faster_value);
    return text;
}

void print_for_people(const Scene& scene, const SceneSummary& summary) {
    const auto line = [](std::string_view name, const std::string& text) { fmt::print("  {:<14}{}\n", name, text); };
    const std::string& title = scene.values.text("title");
    fmt::print("{}: {}\n", printable(scene.file), title.empty() ? "a good scene" : printable(title));
    for (const SceneSummary::Body& body : summary.bodies) line(body.name, body_line(body, scene.dimensions()));
    const bool emits =
        std::any_of(summary.bodies.begin(), summary.bodies.end(), [](const auto& body) { return body.emitters > 0; });
    line("in all", fmt::format("{} particles{}, {} on walls", grouped(summary.particles), emits ? " at the start" : "",
                               grouped(summary.wall_particles)));
    line("time", fmt::format("{} s, {} frames per second, frames 0 to {}", rounded(scene.values.number("duration")),
                             rounded(scene.values.number("fps")), summary.frames));
    line("solver", fmt::format("{}, {} kernel, {}D, radius {} m", scene.pressure, scene.solver.text("kernel"),
                               scene.dimensions(), rounded(scene.radius())));
    line("first step",
         fmt::format("{} s, limited by {}; about {} steps per frame", rounded(summary.time_step), summary.limited_by,
                     std::ceil(1 / scene.values.number("fps") / summary.time_step - 1e-6)));
    const auto bytes = static_cast<double>(summary.bytes);
    // Where walls are most of it, or the fluid is still to come, a share per particle says nothing.
    line("memory", summary.particles > summary.wall_particles
                       ? fmt::format("{}, {:.0f} bytes per particle", byte_text(bytes),
                                     bytes / static_cast<double>(summary.particles))
                       : byte_text(bytes));
    for (const Pour& pour : summary.pours)
        line("pours", fmt::format("{} particles, {} m^{} in all, {}", short_count(pour.particles), rounded(pour.volume),
                                  scene.dimensions(), pour.emitter));
    if (summary.estimate.seconds > 0) line("whole run", run_text(summary.estimate));
    fmt::print("{}", timeline_text(scene));
    for (const std::string& doubt : summary.doubts) fmt::print("  warning: {}\n", printable(doubt));
}

void print_json(const Scene& scene, const SceneSummary& summary) {
    LogLine all{{"scene", scene.file}, {"title", scene.values.text("title")}, {"bodies", LogLine::array()}};
    for (const SceneSummary::Body& body : summary.bodies) {
        all["bodies"].push_back({{"name", body.name},
                                 {"wall", body.wall},
                                 {"moves", body.moves},
                                 {"particles", body.particles},
                                 {"emitters", body.emitters}});
        if (body.soaking) all["bodies"].back()["soaking_time"] = json_number(*body.soaking);
        if (body.draining) all["bodies"].back()["draining_time"] = json_number(*body.draining);
        if (!body.shape_volume) continue;
        all["bodies"].back()["shape_volume"] = *body.shape_volume;
        all["bodies"].back()["sampled_volume"] = *body.sampled_volume;
    }
    all["particles"] = summary.particles;
    all["wall_particles"] = summary.wall_particles;
    all["duration"] = scene.values.number("duration");
    all["fps"] = scene.values.number("fps");
    all["last_frame"] = summary.frames;
    all["dimensions"] = scene.dimensions();
    all["particle_radius"] = scene.radius();
    all["pressure"] = scene.pressure;
    all["time_step"] = json_number(summary.time_step);
    all["dt_limited_by"] = summary.limited_by;
    all["bytes"] = summary.bytes;
    all["estimated_seconds"] = json_number(summary.estimate.seconds);
    all["pours"] = LogLine::object();
    for (const Pour& pour : summary.pours) all["pours"][pour.emitter] = json_number(pour.particles);
    if (!summary.estimate.faster_by.empty())
        all["faster_by"] = {{summary.estimate.faster_by, summary.estimate.faster_value},
                            {"times", json_number(summary.estimate.times_faster)}};
    all["warnings"] = summary.doubts;
    fmt::print("{}\n", all.dump(2, ' ', false, LogLine::error_handler_t::replace));
}

int end_badly(const Error& error, bool json) {
    if (json) tell_failure(error);
    return complain(error);
}

int tell_good(const Scene& scene, bool json) {
    if (json)
        tell_event({{"scene", scene.file}, {"title", scene.values.text("title")}});
    else
        fmt::print("{}: a good scene\n", scene.file);
    return exit_ok;
}

} // namespace

int check(const CheckArguments& arguments) {
    const auto isa = instruction_set(arguments.machine);
    if (!isa) return complain(isa.error());
    return with_threads(arguments.machine, [&]() -> int {
        const Result<Scene> scene = scene_of(arguments.scene);
        if (!scene) return end_badly(scene.error(), arguments.json);
        if (arguments.quick) return tell_good(*scene, arguments.json);
        const auto summary = summarize_scene(*scene, isa->value_or(best_instruction_set()));
        if (!summary) return end_badly(summary.error(), arguments.json);
        if (arguments.json)
            print_json(*scene, *summary);
        else
            print_for_people(*scene, *summary);
        return exit_ok;
    });
}

} // namespace loam
