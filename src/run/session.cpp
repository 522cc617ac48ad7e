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

Error misfit(const Error& error, const std::filesystem::path& folder) {
    return {error.fault, folder.string(), "the checkpoint does not fit the scene: " + error.what, error.hint};
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

Session::Session(Drive& drive, RunFolder& folder, FrameGoal goal, const RunOptions& options, RunWatcher& watcher)
    : drive_(drive), folder_(folder), goal_(goal), options_(options), watcher_(watcher) {}

Result<RunOutcome> Session::from_the_start() {
    if (!drive_.is_placed() || drive_.frame() > 0)
        if (Status started = drive_.start(); !started) return started.error();
    announce(false);
    for (const Error& doubt : drive_.simulation().doubts()) watcher_.warned(doubt.text());
    if (Status written = write(); !written) return with_advice(written.error());
    return loop();
}

Result<RunOutcome> Session::from_checkpoint() {
    const Result<bool> found = place_at_newest();
    if (!found && found.error().fault == Fault::stopped) return outcome(checkpoint_.value_or(0), true);
    if (!found) return found.error();
    if (*found) {
        announce(true);
        return loop();
    }
    if (!list_frames(folder_.folder()).empty())
        watcher_.warned("no usable checkpoint: the run starts again from the beginning");
    return from_the_start();
}

// Whether there is one; what is missing before it is mended first.
Result<bool> Session::place_at_newest() {
    const Result<std::optional<RunFolder::Checkpoint>> newest = folder_.checkpoint();
    for (const std::string& warning : folder_.take_warnings()) watcher_.warned(warning);
    if (!newest) return newest.error();
    if (!*newest) return false;
    const auto& [frame, snapshot] = **newest;
    checkpoint_ = frame;
    checkpoint_cost_ = options_.checkpoint_seconds; // not known yet
    if (Status mended = mend(frame); !mended) return with_advice(mended.error());
    if (drive_.is_placed() && drive_.frame() == frame) return true;
    if (Status restored = drive_.restore(frame, snapshot); !restored) return misfit(restored.error(), folder_.folder());
    return true;
}

Result<RunOutcome> Session::from_here() {
    checkpoint_ = drive_.frame();
    checkpoint_cost_ = options_.checkpoint_seconds; // not known yet
    announce(true);
    return loop();
}

Status Session::back_to(std::uint64_t frame) {
    if (Status mended = mend(frame); !mended) return mended;
    if (Status placed = place(frame); !placed) return placed;
    if (stop_wanted()) return Error{Fault::stopped, "", "stopped on request"};
    if (drive_.frame() < frame) announce(true);
    return compute_again(frame);
}

// Frames up to the last one that are missing or damaged, or have no line in the log, are computed again.
Status Session::mend(std::uint64_t last) {
    const Result<Log> log = read_log(folder_.folder());
    if (!log) return log.error();
    for (const LogLine& line : log->lines) logged_.insert(line["frame"].get<std::uint64_t>());
    std::vector<std::uint64_t> frames;
    std::vector<std::string> names;
    for (std::uint64_t frame = 0; frame <= last && !stop_wanted(); ++frame)
        if (!is_whole(frame)) frames.push_back(frame), names.push_back(std::to_string(frame));
    if (frames.empty()) return Done{};
    const std::size_t count = names.size();
    if (count > 10) names.resize(10), names.push_back("...");
    watcher_.warned(fmt::format("{} finished frame{} missing or damaged: {}; {} computed again", count,
                                count == 1 ? " is" : "s are", join(names), count == 1 ? "it is" : "they are"));
    for (const std::uint64_t frame : frames) {
        if (Status placed = frame == 0 ? drive_.start() : place(frame - 1); !placed) return placed;
        announce(true);
        if (frame == 0)
            if (Status written = write(); !written) return written;
        if (Status done = compute_again(frame); !done) return done;
    }
    return Done{};
}

// At the nearest moment up to a frame: that where the drive is, a checkpoint, or the start.
Status Session::place(std::uint64_t last) {
    const std::optional<std::uint64_t> newest = folder_.checkpoint_frame(last);
    if (drive_.is_placed() && drive_.frame() <= last && drive_.frame() >= newest.value_or(0)) return Done{};
    const Result<std::optional<RunFolder::Checkpoint>> kept = folder_.checkpoint(last);
    for (const std::string& warning : folder_.take_warnings()) watcher_.warned(warning);
    if (!kept) return kept.error();
    if (!*kept) return drive_.start();
    const Status restored = drive_.restore((*kept)->frame, (*kept)->snapshot);
    return restored ? restored : misfit(restored.error(), folder_.folder());
}

void Session::announce(bool resumed) {
    if (std::exchange(announced_, true)) return;
    const Simulation& simulation = drive_.simulation();
    watcher_.begun({simulation.scene(), folder_.folder(), resumed, drive_.frame(), goal_.last,
                    simulation.particles().size(), simulation.walls().size(), simulation.context().scene.isa});
}

Result<RunOutcome> Session::loop() {
    while (true) {
        const std::uint64_t frame = drive_.frame();
        const bool last = frame >= goal_.last, stop = stop_wanted();
        if (checkpoint_ != frame && (last || stop || checkpoint_is_due()))
            if (Status written = write_checkpoint(); !written) return with_advice(written.error());
        if (last || stop) break;
        if (Status moved = advance(); !moved) {
            if (moved.error().fault == Fault::stopped) break;
            return moved.error();
        }
        if (Status written = write(); !written) return with_advice(written.error());
    }
    if (Status made = make_foam(drive_.frame()); !made) return with_advice(made.error());
    if (Status tidied = folder_.finish(); !tidied) return with_advice(tidied.error());
    return outcome(drive_.frame(), drive_.frame() < goal_.last);
}

Status Session::advance() {
    frame_begun_ = Clock::now();
    return drive_.advance(options_.stop, [&] {
        ++steps_;
        particle_steps_ += static_cast<double>(drive_.simulation().particles().size());
        watcher_.stepped(session_so_far(drive_.frame() + 1));
    });
}

// On to a frame that was there before. What stands on the way is whole, or is written too.
Status Session::compute_again(std::uint64_t frame) {
    while (drive_.frame() < frame) {
        if (Status moved = advance(); !moved) return moved;
        if (!is_whole(drive_.frame()))
            if (Status written = write(); !written) return written;
        drive_.simulation().take_report();
    }
    return Done{};
}

// The frame that the drive is at.
Status Session::write() {
    Simulation& simulation = drive_.simulation();
    const std::uint64_t frame = drive_.frame();
    const Pool& particles = simulation.particles();
    const Scene& scene = simulation.scene();
    FrameRecord record{.frame = frame, .time = simulation.time(), .report = simulation.take_report()};
    const FrameHeader header = header_of(simulation, frame);
    Result<Measures> measures = measure(particles, header, gravity_by_body(scene, simulation.time()));
    if (!measures) return measures.error();
    if (Status finite = check_finite(*measures, simulation); !finite) return in_scene(finite.error(), scene);
    record.bodies = header.bodies;
    record.measures = std::move(*measures);
    for (std::size_t b = 0; b < header.bodies.size(); ++b) record.poses.push_back(simulation.pose(b));
    record.gauges = drive_.readings();
    record.accounts = simulation.accounts();
    record.deepest_in_walls = simulation.deepest_in_walls();
    record.isa = simulation.context().scene.isa;
    if (particles.size() > 0)
        record.bytes_per_particle = static_cast<double>(simulation.memory()) / static_cast<double>(particles.size());
    if (Status written = folder_.write_frame(particles, header); !written) return written;
    record.wall_seconds = seconds_since(frame_begun_);
    if (Status logged = folder_.append_log(log_line(record)); !logged) return logged;
    logged_.insert(frame);
    if (Status made = make_foam(frame); !made) return made;
    watcher_.frame_done(record, session_so_far(frame), simulation);
    return Done{};
}

// Made from the files of frames, as `loam foam` does it. Frames after the last one may be of a run that is to change.
Status Session::make_foam(std::uint64_t last) {
    const Simulation& simulation = drive_.simulation();
    const Scene& scene = simulation.scene();
    if (!scene.foam || !(scene.foam->number("amount") > 0)) return Done{};
    if (!foam_) {
        Result<FoamRun> opened = FoamRun::open(scene, folder_.folder(), simulation.context().scene.isa);
        if (!opened) return opened.error();
        foam_.emplace(std::move(*opened));
    }
    return foam_->make_up_to(last);
}

Status Session::write_checkpoint() {
    const Clock::time_point before = Clock::now();
    if (Status written = folder_.write_checkpoint(drive_.frame(), drive_.simulation().snapshot()); !written)
        return written;
    checkpoint_ = drive_.frame();
    checkpoint_cost_ = seconds_since(before);
    checkpointed_ = Clock::now();
    return Done{};
}

bool Session::checkpoint_is_due() const {
    const Simulation& simulation = drive_.simulation();
    if (drive_.frame() > 0 && folder_.keeps_checkpoint(drive_.frame())) return true;
    if (!checkpoint_) return simulation.steps() > 0; // an early one, which also tells what they cost
    const double since = seconds_since(checkpointed_);
    return since >= options_.checkpoint_seconds || checkpoint_cost_ < cheap_share * since;
}

RunStep Session::session_so_far(std::uint64_t frame) const {
    const Simulation& simulation = drive_.simulation();
    return {frame, simulation.time(), simulation.particles().size(), steps_, particle_steps_, seconds_since(begun_)};
}

RunOutcome Session::outcome(std::uint64_t frame, bool stopped) const {
    return {.finished = frame >= goal_.all,
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
