// loam foam: white water for the frames of a run.
#include "foam/foam_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/run_folder.h"
#include "commands.h"
#include "events.h"
#include "machine.h"
#include "run/load.h"
#include "run/record.h"
#include "sequence_tellers.h"
#include "stop_signal.h"
#include "words.h"

namespace loam {
namespace {

class Watcher : public SequenceTeller<FoamWatcher> {
public:
    Watcher(SequenceProgress& progress, bool json) : SequenceTeller(progress, json) {
        progress.produced = [this] { return fmt::format("up to {} drops and bubbles", grouped(most_)); };
    }
    void foam_done(const FoamRecord& r) override {
        const std::size_t all = r.spray + r.foam + r.bubbles;
        most_ = std::max(most_, all);
        progress_.particles += all;
        if (json_)
            tell_event({{"event", "foam"},
                        {"frame", r.frame},
                        {"time", json_number(r.time)},
                        {"fluid", r.fluid},
                        {"spray", r.spray},
                        {"foam", r.foam},
                        {"bubbles", r.bubbles},
                        {"seconds", json_number(r.seconds)}});
    }

private:
    std::size_t most_ = 0;
};

} // namespace

int foam(const FoamArguments& arguments) {
    SequenceProgress progress;
    Watcher watcher(progress, arguments.json);
    return finish_sequence(arguments.machine, arguments.json, progress, [&]() -> Result<SequenceOutcome> {
        if (!is_run_folder(arguments.folder)) return no_run_in(arguments.folder);
        const Result<Scene> scene =
            load_scene(std::filesystem::path(arguments.folder) / "scene.json", {.overrides = arguments.set});
        if (!scene) return scene.error();
        const auto isa = instruction_set(arguments.machine);
        if (!isa) return isa.error();
        return make_foam(*scene, {arguments.folder, isa->value_or(best_instruction_set()), &watch_for_stop()}, watcher);
    });
}

} // namespace loam
