// loam run, loam resume
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "commands.h"
#include "exit_code.h"
#include "machine.h"
#include "preview.h"
#include "run/run.h"
#include "scene_file.h"
#include "stop_signal.h"
#include "watchers.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Teller> teller(const RunArguments& arguments) {
    const int threads = thread_count(arguments.machine);
    return arguments.json ? tell_programs(threads) : tell_people(threads);
}

fs::path folder_of(const RunArguments& arguments) {
    if (!arguments.folder.empty()) return arguments.folder;
    return fs::path("out") / fs::path(arguments.scene.file).stem();
}

// Of every so many frames; the command line has checked that it is a number or "all".
std::optional<std::uint64_t> kept_checkpoints(const RunArguments& arguments) {
    if (arguments.keep_checkpoints.empty()) return std::nullopt;
    return arguments.keep_checkpoints == "all" ? 1 : std::stoull(arguments.keep_checkpoints);
}

int end_badly(const Error& error, Teller& teller) {
    teller.failed(error);
    return complain(error);
}

int end(const Result<RunOutcome>& outcome, Teller& teller) {
    if (!outcome) return end_badly(outcome.error(), teller);
    teller.ended(*outcome);
    if (!outcome->stopped) return exit_ok;
    return stop_signal() == SIGTERM ? exit_terminated : exit_interrupted;
}

// `work` gets the options that both commands share, and who watches.
template <class Work> int with_options(const RunArguments& arguments, Teller& teller, const Work& work) {
    const auto isa = instruction_set(arguments.machine);
    if (!isa) return end_badly(isa.error(), teller);
    RunOptions options{.last_frame = arguments.frames,
                       .isa = *isa,
                       .checkpoint_seconds = arguments.checkpoint_seconds,
                       .keep_checkpoints = kept_checkpoints(arguments),
                       .stop = &watch_for_stop()};
    PreviewMaker preview(arguments, teller, options.stop);
    return with_threads(arguments.machine, [&] {
        const Result<RunOutcome> outcome = work(options, preview);
        preview.finish(outcome);
        return end(outcome, teller);
    });
}

} // namespace

int run(const RunArguments& arguments) {
    const std::unique_ptr<Teller> told = teller(arguments);
    return with_options(arguments, *told, [&](const RunOptions& options, RunWatcher& watcher) -> Result<RunOutcome> {
        const Result<Scene> scene = scene_of(arguments.scene);
        if (!scene) return scene.error();
        const auto existing = arguments.force ? RunFolder::Existing::replace : RunFolder::Existing::keep;
        return start_run(*scene, folder_of(arguments), existing, options, watcher);
    });
}

int resume(const RunArguments& arguments) {
    const std::unique_ptr<Teller> told = teller(arguments);
    return with_options(arguments, *told, [&](const RunOptions& options, RunWatcher& watcher) -> Result<RunOutcome> {
        RunChanges changes{.from = arguments.from, .set = arguments.scene.set, .take = arguments.take};
        if (!arguments.scene.file.empty()) {
            const Result<Scene> scene = scene_of(arguments.scene);
            if (!scene) return scene.error();
            changes.scene = scene->text;
        } else if (!arguments.scene.quality.empty() || arguments.scene.from_stdin) {
            return Error{Fault::usage, "resume", "--quality and --stdin belong to another scene", "give it by --scene"};
        }
        return resume_run(folder_of(arguments), changes, options, watcher);
    });
}

} // namespace loam
