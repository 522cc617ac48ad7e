#include "picture/video.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/run_program.h"

extern char** environ; // NOLINT: what POSIX has

namespace loam {
namespace {

std::filesystem::path unfinished(const std::filesystem::path& path) {
    return path.string() + std::string(unfinished_suffix);
}

std::vector<std::string> command(const std::filesystem::path& path, Size size, double fps) {
    const std::string frame_size = fmt::format("{}x{}", size.width, size.height);
    const char* const container = path.extension() == ".mkv" ? "matroska" : path.extension() == ".mov" ? "mov" : "mp4";
    // yuv420p has half as many colors as pixels each way, so sizes must be even.
    return {"ffmpeg",
            "-nostdin",
            "-hide_banner",
            "-loglevel",
            "error",
            "-y",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgb24",
            "-s",
            frame_size,
            "-r",
            fmt::format("{}", fps),
            "-i",
            "pipe:0",
            "-an",
            "-vf",
            "pad=ceil(iw/2)*2:ceil(ih/2)*2",
            "-c:v",
            "libx264",
            "-preset",
            "veryfast",
            "-crf",
            "18",
            "-pix_fmt",
            "yuv420p",
            "-movflags",
            "+faststart",
            "-f",
            container,
            "file:" + unfinished(path).string()};
}

} // namespace

bool ffmpeg_is_there() {
    const char* const path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/ffmpeg").c_str(), X_OK) == 0) return true;
    return false;
}

Result<VideoWriter> VideoWriter::start(const std::filesystem::path& path, Size size, double fps) {
    if (!ffmpeg_is_there())
        return Error{Fault::file, path.string(), "the program ffmpeg is not there, which makes videos",
                     "install it (apt-get install ffmpeg), or render pictures: -o FOLDER"};
    // A socket instead of a pipe: writing to a process that has died is an error then, not a signal.
    std::array<int, 2> feed{}, messages{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, feed.data()) != 0)
        return file_error(path, "start ffmpeg", errno);
    Descriptor ours(feed[0]), theirs(feed[1]);
    if (pipe2(messages.data(), O_CLOEXEC) != 0) return file_error(path, "start ffmpeg", errno);
    Descriptor heard(messages[0]), said(messages[1]);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, theirs.number(), 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, said.number(), 2);
    // Ctrl-C is ours to hear: the frames so far still become a whole video.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::vector<std::string> words = command(path, size, fps);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = -1;
    const int failed = posix_spawnp(&process, "ffmpeg", &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed != 0) return file_error(path, "start ffmpeg", failed);
    return VideoWriter(path, process, std::move(ours), std::move(heard));
}

VideoWriter::VideoWriter(VideoWriter&& other) noexcept
    : path_(std::move(other.path_)), process_(std::exchange(other.process_, -1)), input_(std::move(other.input_)),
      messages_(std::move(other.messages_)), frames_(other.frames_) {}

VideoWriter::~VideoWriter() {
    if (process_ < 0) return;
    input_.close();
    wait();
    std::error_code ignored;
    std::filesystem::remove(unfinished(path_), ignored);
}

int VideoWriter::wait() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

Status VideoWriter::add(const Bitmap& frame) {
    const auto* at = frame.bytes.data();
    for (std::size_t left = frame.bytes.size(); left > 0;) {
        const ssize_t sent = send(input_.number(), at, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return failed("it said nothing");
        at += sent, left -= static_cast<std::size_t>(sent);
    }
    ++frames_;
    return Done{};
}

Error VideoWriter::failed(const std::string& instead) {
    input_.close();
    if (process_ >= 0) wait();
    std::string said(2000, ' ');
    const ssize_t count = read(messages_.number(), said.data(), said.size());
    said.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    while (!said.empty() && said.back() == '\n') said.pop_back();
    said.erase(0, said.find_last_of('\n') + 1); // npos + 1 is 0
    std::error_code ignored;
    std::filesystem::remove(unfinished(path_), ignored);
    return {Fault::file, path_.string(), "ffmpeg failed: " + (said.empty() ? instead : said),
            "is there space on the disk, and may the file be written? Pictures need no ffmpeg: -o FOLDER"};
}

// ffmpeg ends as if all were well when the disk fills up while it puts the index of a video in front: only what can be
// read again is there.
Status VideoWriter::check_whole() const {
    const std::string file = "file:" + unfinished(path_).string();
    const Result<ProgramOutput> read = run_program(
        {"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error",  "-xerror", "-i",  file, "-map", "0:v",
         "-c",     "copy",     "-f",           "framecrc",  "pipe:1", "-map",    "0:v", "-f", "null", "/dev/null"},
        "");
    if (!read) return read.error();
    std::istringstream lines(read->output);
    std::size_t frames = 0;
    for (std::string line; std::getline(lines, line);) frames += !line.empty() && line[0] != '#';
    if (read->code == 0 && read->messages.empty() && frames == frames_) return Done{};
    return Error{Fault::file, "", fmt::format("{} of {} frames can be read again", frames, frames_), ""};
}

Status VideoWriter::finish() {
    input_.close();
    if (wait() != 0) return failed("it said nothing");
    if (const Status whole = check_whole(); !whole) return failed(whole.error().what);
    if (const Status kept = bring_to_disk(unfinished(path_)); !kept) return failed(kept.error().what);
    std::error_code problem;
    std::filesystem::rename(unfinished(path_), path_, problem);
    if (problem) return file_error(path_, "name the video", problem.value());
    return sync_folder(path_.parent_path());
}

} // namespace loam
