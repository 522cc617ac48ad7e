#include "cache/edit.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/run_files.h"

namespace loam {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t largest_scene = std::size_t{256} << 20;

// As a file: the frame on a line of its own, then the scene.
struct Edit {
    std::uint64_t frame = 0;
    std::string scene;
};

Status write_whole(const fs::path& path, std::string_view text) {
    const std::array<Bytes, 1> pieces{bytes_of(text)};
    return write_durably(path, pieces);
}

Result<Edit> read_edit(const fs::path& path) {
    const Result<std::string> text = read_text(path, 2 * largest_scene);
    if (!text) return text.error();
    Edit edit;
    const char* const end = text->data() + text->size();
    const auto [next, failed] = std::from_chars(text->data(), end, edit.frame);
    if (failed != std::errc{} || next == end || *next != '\n')
        return Error{Fault::file, path.string(), "this is not an edit of a run",
                     "it was changed after it was written: put it back as it was"};
    edit.scene.assign(next + 1, end);
    return edit;
}

// From the last one back, so that there is never a gap.
Status remove_after(std::uint64_t frame, std::vector<std::uint64_t> numbers, const fs::path& run,
                    fs::path (*path)(const fs::path&, std::uint64_t)) {
    std::reverse(numbers.begin(), numbers.end());
    for (const std::uint64_t number : numbers) {
        if (number <= frame) break;
        if (Status removed = run_files::remove_file(path(run, number)); !removed) return removed;
    }
    return Done{};
}

Status remove_what_came_after(std::uint64_t frame, const fs::path& run) {
    if (Status done = remove_after(frame, run_files::checkpoint_numbers(run), run, run_files::checkpoint); !done)
        return done;
    if (frame == 0)
        if (Status done = run_files::remove_file(run_files::checkpoint(run, 0)); !done) return done;
    const Result<Log> log = read_log_file(run_files::log(run));
    if (!log) return log.error();
    if (Status done = write_log_file(run_files::log(run), log_up_to(*log, frame)); !done) return done;
    if (Status done = run_files::remove_foam(run, frame); !done) return done;
    if (Status done = remove_after(frame, run_files::frame_numbers(run), run, run_files::frame); !done) return done;
    return remove_after(frame, run_files::picture_numbers(run), run, run_files::picture);
}

} // namespace

Log log_up_to(Log log, std::uint64_t frame) {
    std::erase_if(log.lines, [&](const LogLine& line) { return frame == 0 || line["frame"] > frame; });
    return log;
}

Result<SceneHistory> read_scenes(const fs::path& run) {
    Result<std::string> now = read_text(run_files::scene(run), largest_scene);
    if (!now) return now.error();
    std::map<std::uint64_t, std::string> past;
    for (const std::uint64_t frame : run_files::past_scene_numbers(run)) {
        Result<std::string> text = read_text(run_files::past_scene(run, frame), largest_scene);
        if (!text) return text.error();
        past[frame] = std::move(*text);
    }
    return SceneHistory(std::move(past), std::move(*now));
}

// In an order in which an edit can begin again at any moment: the scene of before is kept first.
Status write_scenes(const fs::path& run, const SceneHistory& scenes) {
    if (!scenes.past().empty())
        if (Status made = make_folder(run_files::past_scenes(run)); !made) return made;
    for (const auto& [frame, text] : scenes.past()) {
        std::error_code ignored;
        if (fs::exists(run_files::past_scene(run, frame), ignored)) continue;
        if (Status written = write_whole(run_files::past_scene(run, frame), text); !written) return written;
    }
    if (Status written = write_whole(run_files::scene(run), scenes.now()); !written) return written;
    const std::uint64_t last = scenes.past().empty() ? 0 : scenes.past().rbegin()->first;
    return remove_after(last, run_files::past_scene_numbers(run), run, run_files::past_scene);
}

Status edit_run(const fs::path& run, std::uint64_t frame, const std::string& scene) {
    if (Status written = write_whole(run_files::edit(run), fmt::format("{}\n{}", frame, scene)); !written)
        return written;
    return finish_edit(run);
}

Status finish_edit(const fs::path& run) {
    std::error_code ignored;
    if (!fs::exists(run_files::edit(run), ignored)) return Done{};
    Result<Edit> edit = read_edit(run_files::edit(run));
    if (!edit) return edit.error();
    Result<SceneHistory> scenes = read_scenes(run);
    if (!scenes) return scenes.error();
    scenes->change(edit->frame, std::move(edit->scene));
    if (Status done = write_scenes(run, *scenes); !done) return done;
    if (Status done = remove_what_came_after(edit->frame, run); !done) return done;
    if (Status removed = run_files::remove_file(run_files::edit(run)); !removed) return removed;
    return sync_folder(run);
}

} // namespace loam
