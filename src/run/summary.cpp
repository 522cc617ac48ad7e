#include "run/summary.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "behaviors/porous/pores.h"
#include "cache/edit.h"
#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "cache/take.h"
#include "particles/moments.h"
#include "particles/shapes/animated_mesh.h"
#include "run/load.h"
#include "run/story.h"
#include "step/simulation.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

constexpr double patience = 0.5; // seconds of steps, to estimate how long a run takes

template <class Points> void count_by_body(const Points& points, std::vector<SceneSummary::Body>& bodies) {
    for (const std::uint32_t b : points[points.body]) ++bodies[b].particles;
}

// A group's particles are those of its body.
void compare_volumes(const Simulation& simulation, SceneSummary& summary) {
    constexpr double noticeable = 0.01;
    const Scene& scene = simulation.scene();
    const SceneFacts& facts = simulation.context().scene;
    const Pool& pool = simulation.particles();
    const double space = facts.space / lattice_volume(facts.kernel, facts.spacing);
    std::vector<double> sampled(scene.bodies.size(), 0);
    for (std::size_t i = 0; i < pool.size(); ++i)
        sampled[scene.whole_body(pool[pool.body][i])] += space * pool[pool.volume][i];
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        if (body.boundary || !body.shape || facts.sheets[b].sheet || !(sampled[b] > 0)) continue;
        if (simulation.context().traits[b].passable) continue; // its particles are grains in a larger volume
        const double volume = moments_of(*body.shape, scene.spacing(), scene.dimensions()).volume;
        summary.bodies[b].shape_volume = volume;
        summary.bodies[b].sampled_volume = sampled[b];
        if (std::abs(sampled[b] - volume) > noticeable * volume)
            summary.doubts.push_back(
                Error{Fault::scene, "bodies." + body.name + ".shape",
                      "its particles have " + number_text(sampled[b] / volume) + " times the volume of the shape",
                      "a smaller particle_radius follows the shape better"}
                    .text());
    }
}

void tell_soaking(const Scene& scene, SceneSummary& summary) {
    const std::vector<Vec3d> gravity = gravity_by_body(scene, 0);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        const BehaviorUse* use = body.boundary ? nullptr : find_behavior(scene, body, "porous");
        const ShapePtr& shape = body.region ? body.region : body.shape;
        if (!use || !shape || !shape->bounded() || use->values.text("flow") == "through") continue;
        const Pores pores = Pores::of(use->values);
        if (!(pores.permeability > 0)) continue;
        const Vec3d size = shape->bounds().size();
        double across = std::min({size.x, size.y, scene.dimensions() == 2 ? size.x : size.z});
        for (const BehaviorUse& own : behaviors_of(scene, body)) // of cloth and shells
            if (own.values.has("thickness")) across = own.values.number("thickness");
        constexpr double water = 1000; // [kg/m^3]
        summary.bodies[b].soaking = pores.soaking_time(0.5 * across);
        if (const double g = length(gravity[b]); g > 0)
            summary.bodies[b].draining = pores.draining_time(
                (std::abs(gravity[b].x) * size.x + std::abs(gravity[b].y) * size.y + std::abs(gravity[b].z) * size.z) /
                    g,
                water * g);
    }
}

// What scenes seldom mean to be without.
std::optional<std::string> what_is_missing(const Scene& scene) {
    const bool walls = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                   [](const BodySpec& body) { return body.boundary.has_value(); });
    const bool gravity = std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const BodySpec& body) {
        return !body.boundary && find_behavior(scene, body, "gravity");
    });
    if (walls && gravity) return std::nullopt;
    if (gravity) return "there is no wall: what falls, falls for ever";
    if (walls) return "there is no gravity: nothing falls";
    return "there is neither gravity nor a wall";
}

// The scene that a frame of a run was computed with.
Result<Scene> scene_of_frame(const fs::path& folder, std::uint64_t frame) {
    const Result<SceneHistory> scenes = read_scenes(folder);
    if (!scenes) return scenes.error();
    return read_scene(scenes->of_frame(frame), (folder / "scene.json").string(), known_registries());
}

std::vector<double> numbers_in(const LogLine& line, const char* block, const std::string& name, const char* field) {
    std::vector<double> all;
    if (!line.contains(block) || !line[block].contains(name)) return all;
    LogLine value = line[block][name];
    if (field) value = value.contains(field) ? value[field] : LogLine(nullptr);
    if (!value.is_array()) value = LogLine::array({value});
    for (const LogLine& part : value)
        all.push_back(part.is_number() ? part.get<double>() : std::numeric_limits<double>::quiet_NaN());
    return all;
}

// What only the log tells of a frame.
void add_logged(const fs::path& folder, const Scene& scene, FrameSummary& summary) {
    const Result<Log> log = read_log(folder);
    if (!log) return;
    for (const LogLine& line : log->lines) {
        if (line["frame"] != summary.header.frame) continue;
        for (const BodySpec& body : scene.bodies) {
            const std::vector<double> turn = numbers_in(line, "bodies", body.name, "turn");
            summary.turns.push_back(turn.size() == 3 ? std::optional(Vec3d{turn[0], turn[1], turn[2]}) : std::nullopt);
        }
        if (line.contains("water"))
            for (const auto& [name, value] : line["water"].items())
                if (value.is_number()) summary.water.emplace_back(name, value.get<double>());
        for (const GaugeSpec& gauge : scene.gauges) {
            const std::vector<GaugePart>& parts = GaugeTypes::find(gauge.kind)->parts;
            std::vector<double> values = numbers_in(line, "gauges", gauge.name, nullptr);
            if (values.size() == parts.size()) summary.gauges.push_back({gauge.name, parts, std::move(values)});
        }
    }
}

double number_in(const LogLine& line, const char* name) {
    return line.contains(name) && line[name].is_number() ? line[name].get<double>() : 0;
}

} // namespace

Result<SceneSummary> summarize_scene(const Scene& scene, InstructionSet isa) {
    auto created = Simulation::create(scene, isa);
    if (!created) return in_scene(created.error(), scene);
    Simulation& simulation = **created;
    SceneSummary summary;
    for (const BodySpec& body : scene.bodies)
        summary.bodies.push_back(
            {.name = body.name,
             .wall = body.boundary.has_value(),
             .moves = body.boundary && (body.boundary->motion.moves() || animation_of(*body.shape)),
             .emitters = body.emitters.size()});
    count_by_body(simulation.particles(), summary.bodies);
    count_by_body(simulation.walls(), summary.bodies);
    summary.particles = simulation.particles().size();
    summary.wall_particles = simulation.walls().size();
    summary.frames = scene.frame_count();
    for (const Error& doubt : simulation.doubts()) summary.doubts.push_back(doubt.text());
    compare_volumes(simulation, summary);
    tell_soaking(scene, summary);
    if (const auto missing = what_is_missing(scene)) summary.doubts.push_back(*missing);
    simulation.take_report();
    if (Status stepped = simulation.step(1 / scene.values.number("fps")); !stepped)
        return in_scene(stepped.error(), scene);
    const StepReport report = simulation.take_report();
    summary.time_step = report.mean_dt;
    summary.limited_by = report.dt_reason;
    summary.bytes = simulation.memory();
    summary.pours = pours_of(scene);
    Result<RunEstimate> estimate = estimate_run(simulation, patience);
    if (!estimate) {
        summary.doubts.push_back(estimate.error().text());
        return summary;
    }
    summary.estimate = std::move(*estimate);
    find_faster(scene, isa, patience, summary.estimate);
    return summary;
}

Result<FrameSummary> summarize_frame(const fs::path& path) {
    Result<Frame> frame = read_frame(path);
    if (!frame) return frame.error();
    FrameSummary summary{.header = frame->header};
    std::vector<Vec3d> gravity(frame->header.bodies.size());
    const fs::path folder = fs::absolute(path).parent_path().parent_path();
    if (is_run_folder(folder))
        if (const Result<Scene> scene = scene_of_frame(folder, frame->header.frame);
            scene && scene->bodies.size() == gravity.size()) {
            gravity = gravity_by_body(*scene, frame->header.time);
            summary.gravity_known = true;
            add_logged(folder, *scene, summary);
        }
    Result<Measures> measures = measure(frame->columns, frame->header, gravity);
    if (!measures) {
        measures.error().where = path.string();
        return measures.error();
    }
    summary.measures = std::move(*measures);
    return summary;
}

Result<RunSummary> summarize_run(const fs::path& folder) {
    if (!is_run_folder(folder)) return no_run_in(folder);
    const Result<Scene> scene = load_scene(folder / "scene.json");
    if (!scene) return scene.error();
    const Result<Log> log = read_log(folder);
    if (!log) return log.error();
    RunSummary summary;
    summary.title = scene->values.text("title");
    summary.frames_full = scene->frame_count() + 1;
    const std::vector<std::uint64_t> frames = list_frames(folder);
    summary.frames = frames.size();
    summary.finished = frames.size() >= summary.frames_full;
    summary.changed_after = run_files::past_scene_numbers(folder);
    summary.takes = list_takes(folder);
    summary.foam = run_files::foam_numbers(folder).size();
    for (const LogLine& line : log->lines) {
        summary.wall_seconds += number_in(line, "wall_seconds");
        summary.largest_volume_error = std::max(summary.largest_volume_error, number_in(line, "largest_volume_error"));
        if (line.contains("simd") && line["simd"].is_string()) summary.simd = line["simd"];
    }
    summary.happened = what_happened(*log, *scene);
    if (frames.empty()) return summary;
    Result<FrameSummary> last = summarize_frame(frame_path(folder, frames.back()));
    if (!last) return last.error();
    summary.last = std::move(*last);
    return summary;
}

} // namespace loam
