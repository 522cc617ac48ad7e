#include "cache/run_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/format.h>

namespace loam::run_files {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view mark_text = "The folder of a Loam run.\n";
constexpr std::string_view frame_extension = ".vtkhdf", checkpoint_extension = ".h5", scene_extension = ".json",
                           picture_extension = ".png";

fs::path numbered(const fs::path& folder, std::uint64_t number, std::string_view extension) {
    return folder / fmt::format("{:06}{}", number, extension);
}

Status remove_numbered(const fs::path& folder, std::string_view extension) {
    for (const std::uint64_t number : numbers(folder, extension))
        if (Status removed = remove_file(numbered(folder, number, extension)); !removed) return removed;
    return Done{};
}

// Which process holds the lock, for the message.
std::string holder(const fs::path& run) {
    const Result<std::string> text = read_text(mark(run), 4096);
    const std::size_t at = text ? text->find("process ") : std::string::npos;
    if (at == std::string::npos) return "another process";
    return text->substr(at, text->find_first_of(" \n", at + 8) - at);
}

Error in_use(const fs::path& run) {
    return {Fault::file, run.string(), fmt::format("a run is going on in this folder ({})", holder(run)),
            "wait for it or stop it, or choose another folder with -o"};
}

} // namespace

fs::path frame(const fs::path& run, std::uint64_t number) { return numbered(frames(run), number, frame_extension); }
fs::path checkpoint(const fs::path& run, std::uint64_t number) {
    return numbered(checkpoints(run), number, checkpoint_extension);
}
fs::path past_scene(const fs::path& run, std::uint64_t number) {
    return numbered(past_scenes(run), number, scene_extension);
}
fs::path picture(const fs::path& run, std::uint64_t number) {
    return numbered(preview(run), number, picture_extension);
}

fs::path foam_frame(const fs::path& run, std::uint64_t number) { return numbered(foam(run), number, frame_extension); }

std::vector<std::uint64_t> numbers(const fs::path& folder, std::string_view extension) {
    std::vector<std::uint64_t> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string stem = entry.path().stem().string();
        std::uint64_t number = 0;
        const auto [end, failed] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
        // Only names that we give: a file 12.vtkhdf or 000012-copy.vtkhdf is the user's own.
        if (failed == std::errc{} && entry.path() == numbered(folder, number, extension)) found.push_back(number);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::uint64_t> frame_numbers(const fs::path& run) { return numbers(frames(run), frame_extension); }
std::vector<std::uint64_t> foam_numbers(const fs::path& run) { return numbers(foam(run), frame_extension); }
std::vector<std::uint64_t> checkpoint_numbers(const fs::path& run) {
    return numbers(checkpoints(run), checkpoint_extension);
}
std::vector<std::uint64_t> past_scene_numbers(const fs::path& run) {
    return numbers(past_scenes(run), scene_extension);
}
std::vector<std::uint64_t> picture_numbers(const fs::path& run) { return numbers(preview(run), picture_extension); }

bool is_marked(const fs::path& run) {
    std::error_code ignored;
    if (!fs::is_regular_file(mark(run), ignored)) return false;
    const Result<std::string> text = read_text(mark(run), 4096);
    return text && (text->empty() || text->starts_with(mark_text)); // empty: a crash right after it was created
}

Result<Descriptor> lock(const fs::path& run) {
    Descriptor file(::open(mark(run).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file) return file_error(run, "use the folder", errno);
    if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return in_use(run);
    // Any other failure: a file system without locks. The run goes on without.
    // Always of one length and written over the old text, so that a crash leaves no other.
    const std::string text = fmt::format("{}process {:<10}\n", mark_text, ::getpid());
    if (const int failed = write_all(file.number(), bytes_of(text)))
        return file_error(mark(run), "write the mark of the run", failed);
    return file;
}

Status check_not_in_use(const fs::path& run) {
    const Descriptor file(::open(mark(run).c_str(), O_RDONLY | O_CLOEXEC));
    if (file && ::flock(file.number(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) return in_use(run);
    return Done{};
}

void remove_unfinished(const fs::path& run) {
    for (const fs::path& folder : {run, frames(run), checkpoints(run), past_scenes(run), foam(run)})
        loam::remove_unfinished(folder);
}

Status remove_file(const fs::path& path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return file_error(path, "remove the file", errno);
    return Done{};
}

Status remove_foam(const fs::path& run, std::optional<std::uint64_t> last) {
    std::vector<std::uint64_t> made = foam_numbers(run);
    for (; !made.empty() && !(last && made.back() <= *last); made.pop_back())
        if (Status removed = remove_file(foam_frame(run, made.back())); !removed) return removed;
    return last ? Status(Done{}) : remove_file(foam_settings(run));
}

Status remove_run(const fs::path& run) {
    // Without checkpoints nobody goes on with it, without scene it is no run: then frames are nobody's.
    if (Status removed = remove_numbered(checkpoints(run), checkpoint_extension); !removed) return removed;
    if (Status removed = remove_numbered(checkpoints(run), ".h5.damaged"); !removed) return removed;
    for (const fs::path& file : {edit(run), log(run), scene(run), options(run)})
        if (Status removed = remove_file(file); !removed) return removed;
    if (Status removed = remove_numbered(past_scenes(run), scene_extension); !removed) return removed;
    if (Status synced = sync_folder(run); !synced) return synced;
    if (Status removed = remove_foam(run); !removed) return removed;
    return remove_numbered(frames(run), frame_extension);
}

} // namespace loam::run_files
