#include "cache/take.h"

#include <algorithm>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cache/edit.h"
#include "cache/run_files.h"

namespace loam {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t longest_name = 100;

bool is_name(const std::string& name) {
    constexpr std::string_view signs = "-_.", first_not = "-.";
    const auto good = [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               signs.find(c) != std::string_view::npos;
    };
    return !name.empty() && name.size() <= longest_name && first_not.find(name[0]) == std::string_view::npos &&
           std::all_of(name.begin(), name.end(), good) && !name.ends_with(unfinished_suffix);
}

// The same file under a second name where the file system can do that, else a copy.
Status share(const fs::path& from, const fs::path& to) {
    if (::link(from.c_str(), to.c_str()) == 0) return Done{};
    std::error_code failed;
    fs::copy_file(from, to, failed);
    if (failed) return file_error(to, "copy the file", failed.value());
    const Descriptor copy(::open(to.c_str(), O_RDONLY | O_CLOEXEC));
    if (!copy || ::fsync(copy.number()) != 0) return file_error(to, "copy the file", errno);
    return Done{};
}

Status share_up_to(std::uint64_t frame, const std::vector<std::uint64_t>& numbers, const fs::path& from,
                   const fs::path& to, fs::path (*path)(const fs::path&, std::uint64_t)) {
    for (const std::uint64_t number : numbers)
        if (number <= frame)
            if (Status shared = share(path(from, number), path(to, number)); !shared) return shared;
    return sync_folder(path(to, 0).parent_path());
}

Status share_foam(std::uint64_t frame, const fs::path& run, const fs::path& take) {
    std::error_code ignored;
    if (!fs::exists(run_files::foam_settings(run), ignored)) return Done{};
    if (Status made = make_folder(run_files::foam(take)); !made) return made;
    if (Status shared = share(run_files::foam_settings(run), run_files::foam_settings(take)); !shared) return shared;
    return share_up_to(frame, run_files::foam_numbers(run), run, take, run_files::foam_frame);
}

Status fill_take(const fs::path& run, const fs::path& take, std::uint64_t frame, const SceneHistory& scenes) {
    for (const fs::path& folder : {run_files::frames(take), run_files::checkpoints(take)})
        if (Status made = make_folder(folder); !made) return made;
    if (Status written = write_scenes(take, scenes); !written) return written;
    std::error_code ignored;
    if (fs::exists(run_files::options(run), ignored))
        if (Status shared = share(run_files::options(run), run_files::options(take)); !shared) return shared;
    if (frame > 0) {
        if (Status done = share_up_to(frame, run_files::frame_numbers(run), run, take, run_files::frame); !done)
            return done;
        if (Status done = share_up_to(frame, run_files::checkpoint_numbers(run), run, take, run_files::checkpoint);
            !done)
            return done;
        if (Status done = share_foam(frame, run, take); !done) return done;
    }
    const Result<Log> log = read_log_file(run_files::log(run));
    if (!log) return log.error();
    if (Status written = write_log_file(run_files::log(take), log_up_to(*log, frame)); !written) return written;
    const Result<Descriptor> mark = run_files::lock(take); // makes it a run, and lets go of it
    return mark ? sync_folder(take) : Status(mark.error());
}

// What crashes left. The run is locked: nobody else is making one.
void remove_unfinished_takes(const fs::path& run) {
    std::error_code ignored;
    std::vector<fs::path> left;
    for (const fs::directory_entry& entry : fs::directory_iterator(run_files::takes(run), ignored))
        if (entry.is_directory(ignored) && entry.path().extension() == unfinished_suffix) left.push_back(entry.path());
    for (const fs::path& path : left) fs::remove_all(path, ignored);
}

} // namespace

Status check_take(const fs::path& run, const std::string& name) {
    if (!is_name(name))
        return Error{Fault::usage, "--take", fmt::format("\"{}\" cannot be the name of a take", name),
                     "use letters, digits, -, _ and ., with a letter or digit first"};
    const fs::path folder = run_files::takes(run) / name;
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return Done{};
    return Error{Fault::file, folder.string(), "there is a take of this name already",
                 fmt::format("go on with it: `loam resume {}`; or choose another name", shell_word(folder.string()))};
}

Result<fs::path> make_take(const fs::path& run, const std::string& name, std::uint64_t frame,
                           const SceneHistory& scenes) {
    if (Status good = check_take(run, name); !good) return good.error();
    remove_unfinished_takes(run);
    const fs::path folder = run_files::takes(run) / name;
    const fs::path aside = folder.string() + fmt::format(".{}{}", ::getpid(), unfinished_suffix);
    Status made = make_folder(aside);
    if (made) made = fill_take(run, aside, frame, scenes);
    if (made && ::rename(aside.c_str(), folder.c_str()) != 0) made = file_error(folder, "make the take", errno);
    if (made) made = sync_folder(run_files::takes(run));
    if (made) return folder;
    std::error_code ignored;
    fs::remove_all(aside, ignored);
    return made.error();
}

std::vector<std::string> list_takes(const fs::path& run) {
    std::error_code ignored;
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(run_files::takes(run), ignored))
        if (is_name(entry.path().filename().string()) && run_files::is_marked(entry.path()))
            names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace loam
