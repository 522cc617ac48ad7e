#include "cache/run_folder.h"

#include <algorithm>
#include <array>
#include <climits>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cache/edit.h"
#include "cache/run_files.h"
#include "cache/seal.h"

namespace loam {
namespace fs = std::filesystem;
namespace {

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
    if (!begun || existing == RunFolder::Existing::replace) return Done{};
    if (Status free = run_files::check_not_in_use(folder); !free) return free;
    return has_run(folder);
}

// Files in it have longer names than the folder.
Status check_length(const fs::path& folder) {
    constexpr std::size_t longest_name = 64;
    std::error_code ignored;
    const bool fits = fs::absolute(folder, ignored).native().size() + longest_name < PATH_MAX;
    return fits ? Status(Done{}) : file_error(folder, "use the folder", ENAMETOOLONG);
}

// What cannot be understood is as if it were not there.
std::uint64_t read_options(const fs::path& path) {
    const Result<std::string> text = read_text(path, 4096);
    const nlohmann::json options = nlohmann::json::parse(text ? *text : "", nullptr, false);
    const auto keep = options.is_object() ? options.find("keep_checkpoints") : options.end();
    return keep != options.end() && keep->is_number_unsigned() ? keep->get<std::uint64_t>() : 0;
}

} // namespace

Result<RunFolder> RunFolder::locked(const fs::path& folder, Descriptor lock) {
    for (const fs::path& inner : {run_files::frames(folder), run_files::checkpoints(folder)})
        if (Status made = make_folder(inner); !made) return made.error();
    if (Status done = finish_edit(folder); !done) return done.error();
    Result<SceneHistory> scenes = read_scenes(folder);
    if (!scenes) return scenes.error();
    Result<LogWriter> log = LogWriter::open(run_files::log(folder));
    if (!log) return log.error();
    RunFolder run(folder, std::move(*scenes), std::move(lock), std::move(*log));
    run.keep_every_ = read_options(run_files::options(folder));
    return run;
}

Result<RunFolder> RunFolder::create(const fs::path& folder, const std::string& scene_text, Existing existing) {
    if (Status fits = check_length(folder); !fits) return fits.error();
    if (Status vacant = check_free(folder, existing); !vacant) return vacant.error();
    if (Status made = make_folder(folder); !made) return made.error();
    Result<Descriptor> lock = run_files::lock(folder);
    if (!lock) return lock.error();
    // Again, now that nobody else can begin a run here.
    if (Status vacant = check_free(folder, existing); !vacant) return vacant.error();
    run_files::remove_unfinished(folder);
    if (Status removed = run_files::remove_run(folder); !removed) return removed.error();
    if (Status written = write_scenes(folder, SceneHistory(scene_text)); !written) return written.error();
    return locked(folder, std::move(*lock));
}

Result<RunFolder> RunFolder::open(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed) || !is_run_folder(folder)) return no_run_in(folder);
    Result<Descriptor> lock = run_files::lock(folder);
    if (!lock) return lock.error();
    if (const Result<SceneHistory> scenes = read_scenes(folder); !scenes) return scenes.error(); // nothing is touched
    run_files::remove_unfinished(folder);
    return locked(folder, std::move(*lock));
}

Status RunFolder::write_frame(const Columns& columns, const FrameHeader& header) {
    return loam::write_frame(frame_path(folder_, header.frame), columns, header);
}

Status RunFolder::write_checkpoint(std::uint64_t frame, Snapshot snapshot) {
    const fs::path path = run_files::checkpoint(folder_, frame);
    if (Status written = loam::write_checkpoint(path, std::move(snapshot), scenes_.hash(frame)); !written)
        return written;
    // Keep the one before. Only older ones go: newer ones are of a run that was gone back in, and as good.
    std::vector<std::uint64_t> older = run_files::checkpoint_numbers(folder_);
    older.erase(std::lower_bound(older.begin(), older.end(), frame), older.end());
    std::error_code ignored; // one too many does no harm
    for (std::size_t i = 0; i + 1 < older.size(); ++i)
        if (!keeps_checkpoint(older[i])) fs::remove(run_files::checkpoint(folder_, older[i]), ignored);
    return Done{};
}

Status RunFolder::keep_checkpoints(std::uint64_t every) {
    const std::string text = nlohmann::json{{"keep_checkpoints", every}}.dump() + "\n";
    const std::array<Bytes, 1> pieces{bytes_of(text)};
    if (Status written = write_durably(run_files::options(folder_), pieces); !written) return written;
    keep_every_ = every;
    return Done{};
}

std::optional<std::uint64_t> RunFolder::checkpoint_frame(std::uint64_t last) const {
    const std::vector<std::uint64_t> numbers = run_files::checkpoint_numbers(folder_);
    const auto after = std::upper_bound(numbers.begin(), numbers.end(), last);
    return after == numbers.begin() ? std::nullopt : std::optional(*std::prev(after));
}

Result<std::optional<RunFolder::Checkpoint>> RunFolder::checkpoint(std::uint64_t last) {
    while (const auto frame = checkpoint_frame(last)) {
        const fs::path path = run_files::checkpoint(folder_, *frame);
        if (const Status whole = check_seal(path); !whole) {
            if (!std::ifstream(path).is_open()) return whole.error(); // it may be whole: nothing is set aside
            // Out of the way, so that it does not pass for the newest one when the next is written.
            std::error_code failed;
            fs::rename(path, path.string() + ".damaged", failed);
            if (failed) return file_error(path, "set the damaged file aside", failed.value());
            warnings_.push_back(whole.error().text() + "\n  going on from an earlier moment");
            continue;
        }
        Result<Snapshot> snapshot = read_checkpoint(path, scenes_.hash(*frame));
        if (!snapshot) return snapshot.error();
        return std::optional(Checkpoint{*frame, std::move(*snapshot)});
    }
    return std::optional<Checkpoint>();
}

bool RunFolder::has_frame(std::uint64_t frame) const {
    return static_cast<bool>(check_seal(frame_path(folder_, frame)));
}

Status RunFolder::edit(std::uint64_t frame, const std::string& scene) {
    if (Status done = edit_run(folder_, frame, scene); !done) return done;
    scenes_.change(frame, scene);
    return finish(); // the log is another file now
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

Result<Log> read_log(const fs::path& folder) { return read_log_file(run_files::log(folder)); }

} // namespace loam
