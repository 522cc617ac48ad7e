// For the tests of this folder: a scratch folder, particles, children that may be killed.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "particles/columns.h"

namespace loam::test {

// A folder that is there as long as the object lives.
class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "loam-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::abort();
        path_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline std::string slurp(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void spill(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::remove(path); // writing over an old file can make the system wait for the disk
    std::ofstream(path, std::ios::binary) << text;
}

inline std::size_t count_files(const std::filesystem::path& folder) {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
}

// The exit code of work() done in a child process.
template <class Work> int in_child(const Work& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// In a child only: writing fails once a file passes this size, as on a full disk.
inline void allow_files_up_to(std::size_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

// Particles with known values in every type; `id` counts down from the end. At most a block, so that no thread pool is
// needed: children do not inherit it.
inline Columns some_particles(std::uint32_t count, double shift = 0) {
    Columns columns;
    const auto position = columns.declare<Vec3d>({.name = "position", .unit = "m", .saved = true, .output = true});
    const auto id = columns.declare<std::uint32_t>({.name = "id", .saved = true, .output = true});
    const auto velocity = columns.declare<Float4>(
        {.name = "velocity", .unit = "m/s", .help = "of the particle", .saved = true, .output = true});
    const auto heat = columns.declare<double>({.name = "heat", .unit = "J", .saved = true, .output = true});
    const auto density = columns.declare<float>({.name = "density", .unit = "kg/m^3", .output = true});
    const auto hidden = columns.declare<float>({.name = "hidden", .saved = true});
    columns.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t number = count - 1 - i;
        columns[position][i] = {number + shift, 0.5 * number, -1.0 * number};
        columns[id][i] = number;
        columns[velocity][i] = {1.f * number, 2, 3, 4};
        columns[heat][i] = 0.1 * number;
        columns[density][i] = 1000.f + number;
        columns[hidden][i] = 7;
    }
    return columns;
}

} // namespace loam::test
