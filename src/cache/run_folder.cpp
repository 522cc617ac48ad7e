#include "cache/run_folder.h"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cache/hash.h"
#include "cache/run_files.h"
#include "cache/seal.h"

namespace loam {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t largest_scene = std::size_t{256} << 20;

Error occupied(const fs::path& folder) {
    return {Fault::file, folder.string(), "this folder holds something that is not a run of Loam",
            "nothing was changed: choose a new or empty folder with -o"};
}

Error has_run(const fs::path& folder) {
    const std::size_t frames = list_frames(folder).size();
    return {Fault::file, folder.string(), fmt::format("this folder already holds a run with {} frames", frames),
            fmt::format("go on with it: `loam resume {}`; replace it: --force; keep it: choose another folder with -o",
                        shell_word(folder.string()))};
}

Status check_free(const fs::path& folder, RunFolder::Existing existing) {
    std::error_code failed;
    const fs::file_status status = fs::status(folder, failed);
    if (!fs::exists(status)) return Done{};
    if (!fs::is_directory(status)) return file_error(folder, "use the folder", ENOTDIR);
    const bool empty = fs::is_empty(folder, failed);
    if (failed) return file_error(folder, "look into the folder", failed.value());
    if (empty) return Done{};
    if (!is_run_folder(folder)) return occupied(folder);
    // A mark alone is what a crash leaves right at the start.
    const bool begun = fs::exists(run_files::scene(folder), failed) || !run_files::frame_numbers(folder).empty() ||
                       !run_files::checkpoint_numbers(folder).empty();
    return begun && existing == RunFolder::Existing::keep ? Status(has_run(folder)) : Done{};
}

} // namespace

Result<RunFolder> RunFolder::locked(const fs::path& folder, const std::string& scene_text, Descriptor lock) {
    Result<LogWriter> log = LogWriter::open(run_files::log(folder));
    if (!log) return log.error();
    return RunFolder(folder, scene_text, std::move(lock), std::move(*log));
}

Result<RunFolder> RunFolder::create(const fs::path& folder, const std::string& scene_text, Existing existing) {
    if (Status vacant = check_free(folder, existing); !vacant) return vacant.error();
    if (Status made = make_folder(folder); !made) return made.error();
    Result<Descriptor> lock = run_files::lock(folder);
    if (!lock) return lock.error();
    // Again, now that nobody else can begin a run here.
    if (Status vacant = check_free(folder, existing); !vacant) return vacant.error();
    run_files::remove_unfinished(folder);
    if (Status removed = run_files::remove_run(folder); !removed) return removed.error();
    for (const fs::path& inner : {run_files::frames(folder), run_files::checkpoints(folder)})
        if (Status made = make_folder(inner); !made) return made.error();
    const std::array<Bytes, 1> pieces{bytes_of(scene_text)};
    if (Status written = write_durably(run_files::scene(folder), pieces); !written) return written.error();
    return locked(folder, scene_text, std::move(*lock));
}

Result<RunFolder> RunFolder::open(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed) || !is_run_folder(folder)) return no_run_in(folder);
    Result<Descriptor> lock = run_files::lock(folder);
    if (!lock) return lock.error();
    const Result<std::string> scene_text = read_scene_text(folder);
    if (!scene_text) return scene_text.error();
    run_files::remove_unfinished(folder);
    for (const fs::path& inner : {run_files::frames(folder), run_files::checkpoints(folder)})
        if (Status made = make_folder(inner); !made) return made.error();
    return locked(folder, *scene_text, std::move(*lock));
}

Status RunFolder::write_frame(const Columns& columns, const FrameHeader& header) {
    return loam::write_frame(frame_path(folder_, header.frame), columns, header);
}

Status RunFolder::write_checkpoint(std::uint64_t frame, const Columns& columns, const State& state) {
    const fs::path path = run_files::checkpoint(folder_, frame);
    if (Status written = loam::write_checkpoint(path, columns, state, hash_of(scene_text_)); !written) return written;
    // Keep the one before. Only older ones go: a newer one is never there but by someone's hand.
    std::vector<std::uint64_t> older = run_files::checkpoint_numbers(folder_);
    older.erase(std::lower_bound(older.begin(), older.end(), frame), older.end());
    std::error_code ignored; // one too many does no harm
    for (std::size_t i = 0; i + 1 < older.size(); ++i) fs::remove(run_files::checkpoint(folder_, older[i]), ignored);
    return Done{};
}

Result<RunFolder::Restored> RunFolder::restore(Columns& columns) {
    std::vector<std::uint64_t> numbers = run_files::checkpoint_numbers(folder_);
    std::reverse(numbers.begin(), numbers.end());
    for (const std::uint64_t number : numbers) {
        const fs::path path = run_files::checkpoint(folder_, number);
        if (const Status whole = check_seal(path); !whole) {
            if (!std::ifstream(path).is_open()) return whole.error(); // it may be whole: nothing is set aside
            // Out of the way, so that it does not pass for the newest one when the next is written.
            std::error_code ignored;
            fs::rename(path, path.string() + ".damaged", ignored);
            warnings_.push_back(whole.error().text() + "\n  going on from an earlier moment");
            continue;
        }
        Result<State> state = read_checkpoint(path, columns, hash_of(scene_text_));
        if (!state) return state.error();
        warn_of_missing_frames(number);
        return Restored{true, number, std::move(*state)};
    }
    return Restored{};
}

// Frames up to the checkpoint are not computed again, so the user must hear of any that is gone.
void RunFolder::warn_of_missing_frames(std::uint64_t last) {
    const Result<Log> log = read_log(folder_);
    if (!log) return;
    std::vector<std::string> missing;
    for (const LogLine& line : log->lines) {
        const auto frame = line["frame"].get<std::uint64_t>();
        if (frame <= last && !check_seal_quickly(frame_path(folder_, frame))) missing.push_back(std::to_string(frame));
    }
    if (missing.empty()) return;
    const std::size_t count = missing.size();
    if (count > 10) missing.resize(10), missing.push_back("...");
    warnings_.push_back(fmt::format("{}: {} finished frame{} missing or cut off: {}\n  they are not computed again; "
                                    "to have them back, run the scene into another folder",
                                    run_files::frames(folder_).string(), count, count == 1 ? " is" : "s are",
                                    join(missing)));
}

Status RunFolder::finish() {
    Result<LogWriter> tidied = LogWriter::open(run_files::log(folder_));
    if (!tidied) return tidied.error();
    log_ = std::move(*tidied);
    return Done{};
}

bool is_run_folder(const fs::path& folder) { return run_files::is_marked(folder); }

Error no_run_in(const fs::path& folder) {
    return {Fault::file, folder.string(), "there is no run of Loam here",
            "give the folder that `loam run` wrote, the one with scene.json and frames in it"};
}

fs::path frame_path(const fs::path& folder, std::uint64_t frame) { return run_files::frame(folder, frame); }

std::vector<std::uint64_t> list_frames(const fs::path& folder) { return run_files::frame_numbers(folder); }

Result<std::string> read_scene_text(const fs::path& folder) {
    return read_text(run_files::scene(folder), largest_scene);
}

Result<Log> read_log(const fs::path& folder) { return read_log_file(run_files::log(folder)); }

} // namespace loam
