#include "run/run.h"

#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
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

Result<std::uint64_t> last_frame_of(const Scene& scene, const RunOptions& options) {
    const std::uint64_t all = scene.frame_count();
    if (!options.last_frame || *options.last_frame <= all) return options.last_frame.value_or(all);
    return Error{Fault::usage, "--frames",
                 fmt::format("{} frames are wanted, but the scene has {}: {} s at {} frames per second",
                             *options.last_frame, all, number_text(scene.values.number("duration")),
                             number_text(scene.values.number("fps"))),
                 "a longer run is begun by `loam run SCENE --set duration=SECONDS`"};
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

Result<RunOutcome> start(const Scene& scene, const fs::path& folder, RunFolder::Existing existing,
                         const RunOptions& options, RunWatcher& watcher) {
    const Result<std::uint64_t> last = last_frame_of(scene, options);
    if (!last) return last.error();
    auto simulation = Simulation::create(scene, options.isa.value_or(best_instruction_set()));
    if (!simulation) return in_scene(simulation.error(), scene);
    Result<RunFolder> run = RunFolder::create(folder, scene.text, existing);
    if (!run) return run.error();
    return Session(**simulation, *run, *last, options, watcher).from_the_start();
}

Result<RunOutcome> resume(const fs::path& folder, const RunOptions& options, RunWatcher& watcher) {
    Result<RunFolder> run = RunFolder::open(folder);
    if (!run) return run.error();
    const std::string file = (folder / "scene.json").string();
    const Result<Scene> scene = read_scene(run->scene_text(), file, known_registries());
    if (!scene) return scene.error();
    const Result<std::uint64_t> last = last_frame_of(*scene, options);
    if (!last) return last.error();
    const InstructionSet isa = options.isa ? *options.isa : isa_of_run(folder, watcher);
    auto simulation = Simulation::create(*scene, isa);
    if (!simulation) return in_scene(simulation.error(), *scene);
    const Result<RunFolder::Restored> restored = run->restore((*simulation)->particles());
    for (const std::string& warning : run->warnings()) watcher.warned(warning);
    if (!restored) return restored.error();
    Session session(**simulation, *run, *last, options, watcher);
    if (restored->found) return session.from_checkpoint(*restored);
    if (!list_frames(folder).empty()) watcher.warned("no usable checkpoint: the run starts again from the beginning");
    // A damaged checkpoint may have left its traces in the columns.
    simulation = Simulation::create(*scene, isa);
    if (!simulation) return in_scene(simulation.error(), *scene);
    return Session(**simulation, *run, *last, options, watcher).from_the_start();
}

} // namespace

Result<RunOutcome> start_run(const Scene& scene, const fs::path& folder, RunFolder::Existing existing,
                             const RunOptions& options, RunWatcher& watcher) {
    return without_exceptions([&] { return start(scene, folder, existing, options, watcher); });
}

Result<RunOutcome> resume_run(const fs::path& folder, const RunOptions& options, RunWatcher& watcher) {
    return without_exceptions([&] { return resume(folder, options, watcher); });
}

} // namespace loam
