#include "run/estimate.h"

#include <algorithm>
#include <chrono>

#include "run/load.h"
#include "step/emitter.h"
#include "step/simulation.h"

namespace loam {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double worth_telling = 1.5; // times as fast
constexpr double short_run = 10;      // seconds, of which nothing needs to be saved

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

double mean_poured(const Scene& scene) {
    const double duration = scene.values.number("duration");
    double sum = 0;
    constexpr int moments = 20;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b)
        for (const EmitterSpec& spec : scene.bodies[b].emitters) {
            const auto emitter = Emitter::create(spec, 0, 1, 1, scene.spacing(), scene.dimensions(), 0);
            for (int k = 0; emitter && k < moments; ++k)
                sum += emitter->poured(duration * (k + 0.5) / moments) / moments;
        }
    return sum;
}

// Bodies whose steps are short because their law is integrated explicitly.
std::vector<std::string> explicit_laws(const Scene& scene) {
    std::vector<std::string> paths;
    for (const BodySpec& body : scene.bodies)
        for (const BehaviorUse& use : body.behaviors)
            if (use.name == "elastic" && use.values.text("integration") != "implicit" && !body.group_of)
                paths.push_back("bodies." + body.name + ".behaviors.elastic.integration");
    return paths;
}

} // namespace

std::vector<Pour> pours_of(const Scene& scene) {
    std::vector<Pour> all;
    for (const BodySpec& body : scene.bodies)
        for (const EmitterSpec& spec : body.emitters) {
            const auto emitter = Emitter::create(spec, 0, 1, 1, scene.spacing(), scene.dimensions(), 0);
            if (!emitter) continue; // the simulation complains about it
            const double particles = emitter->poured(scene.values.number("duration"));
            all.push_back({"bodies." + body.name + ".emitters." + spec.name, particles,
                           particles * std::pow(scene.spacing(), scene.dimensions())});
        }
    return all;
}

Result<RunEstimate> estimate_run(Simulation& simulation, double patience) {
    const Scene& scene = simulation.scene();
    const double duration = scene.values.number("duration"), frame = 1 / scene.values.number("fps");
    const auto at_start = static_cast<double>(simulation.particles().size());
    const Clock::time_point begun = Clock::now();
    double particle_steps = 0;
    do {
        if (Status moved = simulation.step(simulation.time() + frame); !moved) return in_scene(moved.error(), scene);
        particle_steps += static_cast<double>(std::max<std::size_t>(1, simulation.particles().size()));
    } while (simulation.time() < duration && seconds_since(begun) < patience);
    const double seconds = seconds_since(begun);
    const StepReport report = simulation.take_report();
    RunEstimate estimate;
    estimate.particles = at_start + mean_poured(scene);
    estimate.limited_by = report.dt_reason;
    estimate.time_step = std::min(report.mean_dt, simulation.context().scene.expected_step);
    estimate.seconds = duration / estimate.time_step * std::max(1.0, estimate.particles) * seconds / particle_steps;
    return estimate;
}

void find_faster(const Scene& scene, InstructionSet isa, double patience, RunEstimate& estimate) {
    if (!estimate.limited_by.starts_with("elastic waves") || estimate.seconds < short_run) return;
    for (const std::string& path : explicit_laws(scene)) {
        const Result<Scene> other =
            read_scene(scene.text, scene.file, known_registries(), {.overrides = {path + "=implicit"}});
        if (!other) continue;
        auto simulation = Simulation::create(*other, isa);
        if (!simulation || !(*simulation)->step(1 / scene.values.number("fps"))) continue;
        (*simulation)->take_report();
        const Result<RunEstimate> found = estimate_run(**simulation, patience);
        if (!found || !(estimate.seconds > worth_telling * found->seconds)) continue;
        if (const double times = estimate.seconds / found->seconds; times > estimate.times_faster) {
            estimate.times_faster = times;
            estimate.faster_by = path, estimate.faster_value = "implicit";
        }
    }
}

} // namespace loam
