#include "run/drive.h"

#include <fmt/format.h>

#include "run/load.h"

namespace loam {
namespace {

double frame_time(const Scene& scene, std::uint64_t frame) {
    return static_cast<double>(frame) / scene.values.number("fps");
}

constexpr const char* only_at_start = "it can be changed at frame 0 only: go back there, or begin another run with it";

Error fixed(std::string where, std::string what) {
    return {Fault::scene, std::move(where), std::move(what), only_at_start};
}

Error nowhere() {
    return {Fault::usage, "", "the simulation is not at a frame: it was stopped on the way to the next one",
            "go back to a frame first"};
}

Status check_change(const Scene& before, const Scene& after) {
    if (before.values.number("fps") != after.values.number("fps"))
        return fixed("fps", "frames would no longer be evenly apart");
    if (before.radius() != after.radius()) return fixed("particle_radius", "the particles there are have another one");
    if (before.dimensions() != after.dimensions()) return fixed("dimensions", "the particles there are have others");
    const auto names = [](const Scene& scene) {
        std::vector<std::string> all;
        for (const BodySpec& body : scene.bodies) all.push_back(body.name);
        return all;
    };
    if (names(before) != names(after)) return fixed("bodies", "bodies and groups cannot come or go");
    return Done{};
}

} // namespace

Drive::Drive(SceneHistory scenes, std::string file, InstructionSet isa)
    : scenes_(std::move(scenes)), file_(std::move(file)), isa_(isa) {}

Result<Drive> Drive::begin(const Scene& scene, InstructionSet isa) {
    Drive drive(SceneHistory(scene.text), scene.file, isa);
    if (Status started = drive.start(scene); !started) return started.error();
    return drive;
}

Result<Scene> Drive::read(const std::string& text, const std::vector<std::string>& changes) const {
    return read_scene(text, file_, known_registries(), {.overrides = changes});
}

void Drive::place(std::unique_ptr<Simulation> simulation, std::uint64_t frame) {
    simulation_ = std::move(simulation);
    gauges_ = GaugeSet(simulation_->scene());
    frame_ = frame;
    placed_ = true;
    before_change_.reset();
}

Status Drive::start() {
    const Result<Scene> scene = read(scenes_.of_frame(0));
    return scene ? start(*scene) : scene.error();
}

Status Drive::start(const Scene& scene) {
    auto simulation = Simulation::create(scene, isa_);
    if (!simulation) return in_scene(simulation.error(), scene);
    place(std::move(*simulation), 0);
    return Done{};
}

Status Drive::restore(std::uint64_t frame, const Snapshot& snapshot) {
    const std::string& text = scenes_.after(frame);
    if (simulation_ && simulation_->scene().text == text) {
        placed_ = false;
        if (Status restored = simulation_->restore(snapshot); !restored) return restored;
        place(std::move(simulation_), frame);
    } else {
        const Result<Scene> scene = read(text);
        if (!scene) return scene.error();
        auto simulation = Simulation::go_on(*scene, snapshot, isa_);
        if (!simulation) return simulation.error();
        place(std::move(*simulation), frame);
    }
    if (text != scenes_.of_frame(frame)) before_change_ = snapshot;
    return Done{};
}

Status Drive::advance(const std::atomic<bool>* stop, const AfterStep& after_step) {
    if (!placed_) return nowhere();
    if (simulation_->scene().text != scenes_.after(frame_))
        if (Status changed = restore(frame_, simulation_->snapshot()); !changed) return changed;
    before_change_.reset();
    placed_ = false;
    const double time = frame_time(scene(), frame_ + 1);
    gauges_.begin(*simulation_);
    const auto stepped = [&] {
        gauges_.stepped(*simulation_);
        if (after_step) after_step();
    };
    if (Status moved = simulation_->advance(time, stop, stepped); !moved) return in_scene(moved.error(), scene());
    ++frame_;
    placed_ = true;
    return Done{};
}

void Drive::keep() { kept_.insert_or_assign(frame_, snapshot()); }

Status Drive::back_to(std::uint64_t frame, const std::atomic<bool>* stop, const AfterStep& after_step) {
    const auto after = kept_.upper_bound(frame);
    const auto nearest = after == kept_.begin() ? kept_.end() : std::prev(after);
    const bool from_here = placed_ && frame_ <= frame && (nearest == kept_.end() || nearest->first <= frame_);
    if (!from_here)
        if (Status placed = nearest == kept_.end() ? start() : restore(nearest->first, nearest->second); !placed)
            return placed;
    while (frame_ < frame)
        if (Status moved = advance(stop, after_step); !moved) return moved;
    return Done{};
}

Status Drive::set(const std::vector<std::string>& changes) { return use(read(scenes_.after(frame_), changes)); }

Status Drive::set_scene(const std::string& text) { return use(read(text)); }

Status Drive::use(const Result<Scene>& scene) {
    if (!scene) return scene.error();
    if (scene->text == scenes_.after(frame_)) return Done{};
    if (Status done = frame_ == 0 ? start(*scene) : change_to(*scene); !done) return in_scene(done.error(), *scene);
    scenes_.change(frame_, scene->text);
    kept_.erase(frame_ == 0 ? kept_.begin() : kept_.upper_bound(frame_), kept_.end());
    return Done{};
}

Status Drive::change_to(const Scene& scene) {
    if (!placed_) return nowhere();
    if (Status good = check_change(simulation_->scene(), scene); !good) return good;
    Snapshot before = snapshot();
    auto simulation = Simulation::go_on(scene, before, isa_);
    if (!simulation && simulation.error().fault == Fault::scene) return simulation.error();
    if (!simulation) return fixed("", "the particles there are do not fit: " + simulation.error().what);
    place(std::move(*simulation), frame_);
    before_change_ = std::move(before);
    return Done{};
}

} // namespace loam
