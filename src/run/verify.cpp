#include "run/verify.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/edit.h"
#include "cache/run_files.h"
#include "cache/run_folder.h"
#include "cache/seal.h"
#include "run/load.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

class Verifying {
public:
    explicit Verifying(const fs::path& folder) : folder_(folder) {}

    RunVerification all() {
        scenes();
        const std::vector<std::uint64_t> frames = list_frames(folder_);
        const std::set<std::uint64_t> there(frames.begin(), frames.end());
        for (std::uint64_t frame = 0; !frames.empty() && frame <= frames.back(); ++frame) {
            const fs::path path = run_files::frame(folder_, frame);
            if (!there.count(frame))
                flaw(path, "is missing");
            else if (const Status whole = check_seal(path); !whole)
                flaw(path, whole.error().what);
            else
                ++found_.frames;
        }
        log(there);
        for (const std::uint64_t frame : run_files::checkpoint_numbers(folder_)) {
            const fs::path path = run_files::checkpoint(folder_, frame);
            if (const Status whole = check_seal(path); !whole)
                flaw(path, whole.error().what);
            else
                ++found_.checkpoints;
        }
        foam();
        return std::move(found_);
    }

private:
    void flaw(const fs::path& path, std::string what) {
        found_.flaws.push_back({path.lexically_relative(folder_).string(), std::move(what)});
    }

    void scenes() {
        const Result<SceneHistory> scenes = read_scenes(folder_);
        if (!scenes) return flaw(run_files::scene(folder_), scenes.error().what);
        const auto check = [&](const fs::path& path, const std::string& text) {
            const Result<Scene> scene = read_scene(text, path.string(), known_registries());
            if (!scene) flaw(path, scene.error().what);
        };
        for (const auto& [frame, text] : scenes->past()) check(run_files::past_scene(folder_, frame), text);
        check(run_files::scene(folder_), scenes->now());
    }

    void log(const std::set<std::uint64_t>& frames) {
        const fs::path path = run_files::log(folder_);
        const Result<Log> log = read_log(folder_);
        if (!log) return flaw(path, log.error().what);
        if (log->unreadable > 0)
            flaw(path, fmt::format("{} line{} cannot be read", log->unreadable, log->unreadable == 1 ? "" : "s"));
        std::set<std::uint64_t> without = frames;
        for (const LogLine& line : log->lines) without.erase(line["frame"].get<std::uint64_t>());
        if (!without.empty())
            flaw(path, fmt::format("{} frame{} no line, the first is {}", without.size(),
                                   without.size() == 1 ? " has" : "s have", *without.begin()));
    }

    // It can be made again from frames: what is missing at the end is no flaw.
    void foam() {
        const std::vector<std::uint64_t> made = run_files::foam_numbers(folder_);
        for (std::uint64_t frame = 0; !made.empty() && frame <= made.back(); ++frame) {
            const fs::path path = run_files::foam_frame(folder_, frame);
            if (!std::binary_search(made.begin(), made.end(), frame))
                flaw(path, "is missing");
            else if (const Status whole = check_seal(path); !whole)
                flaw(path, whole.error().what);
            else
                ++found_.foam;
        }
    }

    const fs::path& folder_;
    RunVerification found_;
};

} // namespace

Result<RunVerification> verify_run(const fs::path& folder) {
    if (!is_run_folder(folder)) return no_run_in(folder);
    return Verifying(folder).all();
}

} // namespace loam
