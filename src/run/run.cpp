#include "run/run.h"

#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cache/take.h"
#include "run/load.h"
#include "run/session.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

Error out_of_memory() {
    return {Fault::simulation, "", "there is not enough memory for this many particles",
            "use fewer: a larger particle_radius, or --quality preview; `loam check` tells what a scene needs"};
}

// Memory is the one thing that fails by exception below here.
template <class Work> auto without_exceptions(const Work& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    } catch (const std::length_error&) { // what containers say to an impossible size
        return out_of_memory();
    }
}

Result<FrameGoal> goal_of(const Scene& scene, const RunOptions& options) {
    const std::uint64_t all = scene.frame_count();
    if (!options.last_frame || *options.last_frame <= all) return FrameGoal{options.last_frame.value_or(all), all};
    return Error{Fault::usage, "--frames",
                 fmt::format("{} frames are wanted, but the scene has {}: {} s at {} frames per second",
                             *options.last_frame, all, number_text(scene.values.number("duration")),
                             number_text(scene.values.number("fps"))),
                 "make the run longer by --set duration=SECONDS"};
}

// A run must go on with an instruction set that rounds as the one that it began with.
InstructionSet isa_of_run(const fs::path& folder, RunWatcher& watcher) {
    const InstructionSet best = best_instruction_set();
    const Result<Log> log = read_log(folder);
    if (!log || log->lines.empty()) return best;
    const LogLine& line = log->lines.back();
    if (!line.contains("simd") || !line["simd"].is_string()) return best;
    const auto name = line["simd"].get<std::string>();
    for (InstructionSet isa : {InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512}) {
        if (name_of(isa) != name) continue;
        if (round_alike(isa, best)) return best;
        if (is_available(isa)) return isa;
    }
    watcher.warned(fmt::format("the run began with the instruction set \"{}\", which is not available here; it goes on "
                               "with {} and will differ in rounding",
                               name, name_of(best)));
    return best;
}

Status keep_checkpoints(RunFolder& run, const RunOptions& options) {
    return options.keep_checkpoints ? run.keep_checkpoints(*options.keep_checkpoints) : Done{};
}

Result<RunOutcome> start(const Scene& scene, const fs::path& folder, RunFolder::Existing existing,
                         const RunOptions& options, RunWatcher& watcher) {
    const Result<FrameGoal> goal = goal_of(scene, options);
    if (!goal) return goal.error();
    Result<Drive> drive = Drive::begin(scene, options.isa.value_or(best_instruction_set()));
    if (!drive) return drive.error();
    Result<RunFolder> run = RunFolder::create(folder, scene.text, existing);
    if (!run) return run.error();
    if (Status kept = keep_checkpoints(*run, options); !kept) return kept.error();
    return Session(*drive, *run, *goal, options, watcher).from_the_start();
}

Result<std::uint64_t> first_of(const RunChanges& changes, const RunFolder& run) {
    const std::vector<std::uint64_t> frames = list_frames(run.folder());
    const std::uint64_t last = std::max(frames.empty() ? 0 : frames.back(), run.checkpoint_frame().value_or(0));
    if (changes.from.value_or(0) <= last) return changes.from.value_or(last);
    return Error{Fault::usage, "--from", fmt::format("frame {} is not there yet", *changes.from),
                 fmt::format("the run has frames 0 to {}: choose one of them, or go on first with `loam resume {}`",
                             last, shell_word(run.folder().string()))};
}

// Where the changed run is: the folder itself, which is edited, or a take.
Status open_changed(RunFolder& run, const RunChanges& changes, const Drive& drive) {
    if (changes.take.empty())
        return drive.scenes() == run.scenes() ? Status(Done{}) : run.edit(drive.frame(), drive.scenes().now());
    const Result<fs::path> folder = make_take(run.folder(), changes.take, drive.frame(), drive.scenes());
    if (!folder) return folder.error();
    Result<RunFolder> take = RunFolder::open(*folder);
    if (!take) return take.error();
    run = std::move(*take); // and lets go of the one before
    return Done{};
}

Result<RunOutcome> resume_changed(RunFolder& run, Drive& drive, const RunChanges& changes, const RunOptions& options,
                                  RunWatcher& watcher) {
    const Result<std::uint64_t> from = first_of(changes, run);
    if (!from) return from.error();
    if (!changes.take.empty())
        if (Status good = check_take(run.folder(), changes.take); !good) return good.error();
    if (*from > 0) {
        Session session(drive, run, {*from, UINT64_MAX}, options, watcher);
        if (Status reached = session.back_to(*from); !reached) {
            if (reached.error().fault != Fault::stopped) return reached.error();
            watcher.warned("stopped on the way back: nothing was changed");
            return session.outcome(*from, true);
        }
    }
    std::optional<Snapshot> before = *from > 0 ? std::optional(drive.snapshot()) : std::nullopt;
    if (Status changed = changes.scene.empty() ? drive.set(changes.set) : drive.set_scene(changes.scene); !changed)
        return changed.error();
    if (!drive.is_placed())
        if (Status started = drive.start(); !started) return started.error();
    const Result<Scene> scene = read_scene(drive.scenes().now(), drive.scene().file, known_registries());
    if (!scene) return scene.error();
    const Result<FrameGoal> goal = goal_of(*scene, options);
    if (!goal) return goal.error();
    if (Status opened = open_changed(run, changes, drive); !opened) return opened.error();
    if (Status kept = keep_checkpoints(run, options); !kept) return kept.error();
    Session session(drive, run, *goal, options, watcher);
    if (!before) return session.from_the_start();
    if (Status written = run.write_checkpoint(*from, std::move(*before)); !written) return written.error();
    before.reset();
    return session.from_here();
}

Result<RunOutcome> resume(const fs::path& folder, const RunChanges& changes, const RunOptions& options,
                          RunWatcher& watcher) {
    Result<RunFolder> run = RunFolder::open(folder);
    if (!run) return run.error();
    const std::string file = (folder / "scene.json").string();
    const Result<Scene> scene = read_scene(run->scenes().now(), file, known_registries());
    if (!scene) return scene.error();
    Drive drive(run->scenes(), file, options.isa ? *options.isa : isa_of_run(folder, watcher));
    if (changes.any()) return resume_changed(*run, drive, changes, options, watcher);
    const Result<FrameGoal> goal = goal_of(*scene, options);
    if (!goal) return goal.error();
    if (Status kept = keep_checkpoints(*run, options); !kept) return kept.error();
    return Session(drive, *run, *goal, options, watcher).from_checkpoint();
}

} // namespace

Result<RunOutcome> start_run(const Scene& scene, const fs::path& folder, RunFolder::Existing existing,
                             const RunOptions& options, RunWatcher& watcher) {
    return without_exceptions([&] { return start(scene, folder, existing, options, watcher); });
}

Result<RunOutcome> resume_run(const fs::path& folder, const RunChanges& changes, const RunOptions& options,
                              RunWatcher& watcher) {
    return without_exceptions([&] { return resume(folder, changes, options, watcher); });
}

} // namespace loam
