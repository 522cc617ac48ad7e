#include "base/run_program.h"

#include <array>
#include <cerrno>
#include <cstring>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT: what POSIX has

namespace loam {
namespace {

Error failed(const std::string& program, int error_number) {
    return {Fault::file, program, std::string("cannot be started: ") + std::strerror(error_number), ""};
}

// A file in memory. Unlike pipes these never fill up, so neither side waits for the other.
class MemoryFile {
public:
    MemoryFile() : number_(memfd_create("loam", MFD_CLOEXEC)) {}
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;
    ~MemoryFile() {
        if (number_ >= 0) ::close(number_);
    }

    int number() const { return number_; }

    bool fill(const std::string& text) const {
        for (std::size_t done = 0; done < text.size();) {
            const ssize_t count = ::write(number_, text.data() + done, text.size() - done);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) return false;
            done += static_cast<std::size_t>(count);
        }
        return ::lseek(number_, 0, SEEK_SET) == 0;
    }

    std::string text() const {
        std::string all;
        std::array<char, 65536> part{};
        ::lseek(number_, 0, SEEK_SET);
        for (ssize_t count; (count = ::read(number_, part.data(), part.size())) > 0;)
            all.append(part.data(), static_cast<std::size_t>(count));
        return all;
    }

private:
    int number_;
};

} // namespace

Result<ProgramOutput> run_program(const std::vector<std::string>& words, const std::string& input) {
    const std::string& program = words.front();
    const MemoryFile in, out, messages;
    if (in.number() < 0 || out.number() < 0 || messages.number() < 0 || !in.fill(input)) return failed(program, errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.number(), 0);
    posix_spawn_file_actions_adddup2(&actions, out.number(), 1);
    posix_spawn_file_actions_adddup2(&actions, messages.number(), 2);
    std::vector<std::string> own = words;
    std::vector<char*> arguments;
    arguments.reserve(own.size() + 1);
    for (std::string& word : own) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t process = -1;
    const int problem = posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem == ENOENT) return ProgramOutput{.code = 127};
    if (problem != 0) return failed(program, problem);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return ProgramOutput{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), out.text(), messages.text()};
}

} // namespace loam
