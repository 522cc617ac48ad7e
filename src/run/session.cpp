#include "run/session.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "run/load.h"

namespace loam {
namespace {

// Checkpoints may take this share of the time even when none is due yet: then little is lost when a run is stopped.
constexpr double cheap_share = 0.02;

double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

double frame_time(const Scene& scene, std::uint64_t frame) {
    return static_cast<double>(frame) / scene.values.number("fps");
}

State state_of(const Simulation& simulation) {
    State state;
    for (auto& [name, numbers] : simulation.save()) state.set(name, State::Numbers(numbers));
    return state;
}

std::map<std::string, std::vector<double>> saved_in(const State& state) {
    std::map<std::string, std::vector<double>> saved;
    for (const auto& [name, entry] : state.entries())
        if (const auto* numbers = std::get_if<State::Numbers>(&entry)) saved[name] = *numbers;
    return saved;
}

FrameHeader header_of(const Simulation& simulation, std::uint64_t frame) {
    const Scene& scene = simulation.scene();
    FrameHeader header{.frame = frame,
                       .time = simulation.time(),
                       .dimensions = scene.dimensions(),
                       .particle_radius = scene.radius(),
                       .particle_volume = lattice_volume(simulation.context().scene.kernel, scene.spacing())};
    for (const BodySpec& body : scene.bodies) header.bodies.push_back(body.name);
    return header;
}

// A frame with values that are not finite is of no use to anyone.
Status check_finite(const Measures& measures, const Simulation& simulation) {
    for (std::size_t b = 0; b < measures.bodies.size(); ++b)
        if (!measures.bodies[b].finite())
            return Error{Fault::simulation, "bodies." + simulation.scene().bodies[b].name,
                         "the simulation broke down at " + number_text(simulation.time()) +
                             " s: velocities are not finite",
                         "try a smaller solver.cfl or time_step, or more viscosity; the frames so far are kept"};
    return Done{};
}

} // namespace

Session::Session(Simulation& simulation, RunFolder& folder, std::uint64_t last_frame, const RunOptions& options,
                 RunWatcher& watcher)
    : simulation_(simulation), folder_(folder), last_frame_(last_frame), options_(options), watcher_(watcher) {}

Result<RunOutcome> Session::from_the_start() {
    announce(0, false);
    if (Status written = write(0); !written) return with_advice(written.error());
    return loop(0);
}

Result<RunOutcome> Session::from_checkpoint(const RunFolder::Restored& restored) {
    if (Status done = simulation_.restore(saved_in(restored.state)); !done)
        return Error{Fault::file, folder_.folder().string(), done.error().what, done.error().hint};
    simulation_.take_report(); // of setting up
    checkpoint_ = restored.frame;
    checkpoint_cost_ = options_.checkpoint_seconds; // not known yet
    announce(restored.frame, true);
    return loop(restored.frame);
}

void Session::announce(std::uint64_t first_frame, bool resumed) {
    watcher_.begun({simulation_.scene(), folder_.folder(), resumed, first_frame, last_frame_,
                    simulation_.particles().size(), simulation_.walls().size(), simulation_.context().scene.isa});
}

Result<RunOutcome> Session::loop(std::uint64_t frame) {
    while (true) {
        const bool last = frame >= last_frame_, stop = stop_wanted();
        if (checkpoint_ != frame && (last || stop || checkpoint_is_due()))
            if (Status written = write_checkpoint(frame); !written) return with_advice(written.error());
        if (last || stop) break;
        frame_begun_ = Clock::now();
        if (Status moved = advance_to(frame + 1); !moved) {
            if (moved.error().fault == Fault::stopped) break;
            return in_scene(moved.error(), simulation_.scene());
        }
        if (Status written = write(frame + 1); !written) return with_advice(written.error());
        ++frame;
    }
    if (Status tidied = folder_.finish(); !tidied) return with_advice(tidied.error());
    return outcome(frame, frame < last_frame_);
}

Status Session::advance_to(std::uint64_t frame) {
    return simulation_.advance(frame_time(simulation_.scene(), frame), options_.stop, [&] {
        ++steps_;
        particle_steps_ += static_cast<double>(simulation_.particles().size());
        watcher_.stepped(session_so_far(frame));
    });
}

Status Session::write(std::uint64_t frame) {
    const Pool& particles = simulation_.particles();
    const Scene& scene = simulation_.scene();
    FrameRecord record{.frame = frame, .time = simulation_.time(), .report = simulation_.take_report()};
    const FrameHeader header = header_of(simulation_, frame);
    Result<Measures> measures = measure(particles, header, gravity_by_body(scene, simulation_.time()));
    if (!measures) return measures.error();
    if (Status finite = check_finite(*measures, simulation_); !finite) return in_scene(finite.error(), scene);
    record.bodies = header.bodies;
    record.measures = std::move(*measures);
    record.deepest_in_walls = simulation_.deepest_in_walls();
    record.isa = simulation_.context().scene.isa;
    if (particles.size() > 0)
        record.bytes_per_particle = static_cast<double>(simulation_.memory()) / static_cast<double>(particles.size());

    if (Status written = folder_.write_frame(particles, header); !written) return written;
    record.wall_seconds = seconds_since(frame_begun_);
    if (Status logged = folder_.append_log(log_line(record)); !logged) return logged;
    watcher_.frame_done(record, session_so_far(frame));
    return Done{};
}

Status Session::write_checkpoint(std::uint64_t frame) {
    const Clock::time_point before = Clock::now();
    if (Status written = folder_.write_checkpoint(frame, simulation_.particles(), state_of(simulation_)); !written)
        return written;
    checkpoint_ = frame;
    checkpoint_cost_ = seconds_since(before);
    checkpointed_ = Clock::now();
    return Done{};
}

bool Session::checkpoint_is_due() const {
    if (!checkpoint_) return simulation_.steps() > 0; // an early one, which also tells what they cost
    const double since = seconds_since(checkpointed_);
    return since >= options_.checkpoint_seconds || checkpoint_cost_ < cheap_share * since;
}

RunStep Session::session_so_far(std::uint64_t frame) const {
    return {frame, simulation_.time(), simulation_.particles().size(), steps_, particle_steps_, seconds_since(begun_)};
}

RunOutcome Session::outcome(std::uint64_t frame, bool stopped) {
    return {.finished = frame >= simulation_.scene().frame_count(),
            .stopped = stopped,
            .frame = frame,
            .checkpoint = checkpoint_.value_or(0),
            .session = session_so_far(frame)};
}

Error Session::with_advice(Error error) const {
    if (error.fault != Fault::file) return error;
    error.hint += fmt::format("{}every frame that was reported is kept; then go on with `loam resume {}`",
                              error.hint.empty() ? "" : "; ", shell_word(folder_.folder().string()));
    return error;
}

} // namespace loam
