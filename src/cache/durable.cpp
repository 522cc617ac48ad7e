#include "cache/durable.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace loam {
namespace fs = std::filesystem;
namespace {

std::string advice(int error_number) {
    switch (error_number) {
    case ENOSPC: return "free some space on the disk";
    case EDQUOT: return "your disk quota is used up: free some space";
    case EFBIG:
        return "the file would pass the largest allowed size: see `ulimit -f` and the limits of the file system";
    case EROFS: return "the disk is mounted read-only: choose another folder";
    case EACCES:
    case EPERM: return "no permission: choose another folder, or change who may use this one";
    case ENOENT: return "it is not there: check the path for a misspelling, and whether it was moved";
    case ENOTDIR: return "a part of the path is a file, not a folder";
    case ENAMETOOLONG: return "the path is too long: choose a shorter one";
    case EISDIR: return "it is a folder, not a file";
    case EMFILE:
    case ENFILE: return "too many files are open: see `ulimit -n`";
    case EIO: return "the disk reports a failure: check its health, and copy what is of value";
    default: return "";
    }
}

Descriptor open_file(const fs::path& path, int flags) {
    return Descriptor(::open(path.c_str(), flags | O_CLOEXEC, 0666));
}

// Writes, syncs and closes; returns 0 or the errno.
int fill_file(const fs::path& path, std::span<const Bytes> pieces) {
    Descriptor file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file) return errno;
    for (const Bytes& piece : pieces)
        if (const int failed = write_all(file.number(), piece)) return failed;
    if (::fsync(file.number()) != 0) return errno;
    return file.close(); // some network file systems report a full disk only now
}

} // namespace

Error file_error(const fs::path& path, std::string_view tried, int error_number) {
    const std::string reason = std::generic_category().message(error_number);
    return {Fault::file, path.string(), fmt::format("cannot {}: {}", tried, reason), advice(error_number)};
}

Descriptor::~Descriptor() { close(); }

int Descriptor::close() {
    if (number_ < 0) return 0;
    const int failed = ::close(std::exchange(number_, -1));
    return failed == 0 ? 0 : errno;
}

int write_all(int descriptor, Bytes bytes) {
    constexpr std::size_t at_once = std::size_t{1} << 30; // some systems take no more than 2 GB in one call
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), std::min(bytes.size(), at_once));
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return 0;
}

Status write_durably(const fs::path& path, std::span<const Bytes> pieces) {
    const fs::path aside = path.string() + fmt::format(".{}{}", ::getpid(), unfinished_suffix);
    int failed = fill_file(aside, pieces);
    if (failed == 0 && ::rename(aside.c_str(), path.c_str()) != 0) failed = errno;
    if (failed != 0) {
        ::unlink(aside.c_str());
        return file_error(path, "write the file", failed);
    }
    return sync_folder(path.parent_path());
}

Status bring_to_disk(const fs::path& path) {
    Descriptor file = open_file(path, O_RDWR);
    if (!file || ::fsync(file.number()) != 0 || file.close() != 0) return file_error(path, "write the file", errno);
    return Done{};
}

Status make_folder(const fs::path& folder) {
    std::error_code failed;
    if (fs::is_directory(folder, failed)) return Done{};
    const fs::path parent = folder.parent_path();
    fs::path made = folder; // the topmost that is not there yet
    for (fs::path above = parent; !above.empty() && !fs::exists(above, failed) && above != above.parent_path();
         above = above.parent_path())
        made = above;
    if (!parent.empty() && parent != folder)
        if (Status done = make_folder(parent); !done) return done;
    int problem = ::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST ? errno : 0;
    if (problem == 0 && !fs::is_directory(folder, failed)) problem = ENOTDIR;
    if (problem == 0) return sync_folder(parent);
    // Nothing is left of the way to a folder that cannot be; what others have put there meanwhile stays.
    for (fs::path left = parent; made != folder; left = left.parent_path()) {
        if (::rmdir(left.c_str()) != 0 || left == made) break;
    }
    return file_error(folder, "create the folder", problem);
}

Status sync_folder(const fs::path& folder) {
    const fs::path named = folder.empty() ? fs::path(".") : folder;
    const Descriptor opened = open_file(named, O_RDONLY | O_DIRECTORY);
    // A folder may be open for writing but not for reading; some file systems cannot sync folders. Both are no failure.
    if (!opened) return errno == EACCES ? Status(Done{}) : file_error(named, "open the folder", errno);
    if (::fsync(opened.number()) != 0 && errno != EINVAL && errno != ENOTSUP)
        return file_error(named, "bring the folder to the disk", errno);
    return Done{};
}

void remove_unfinished(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> left;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == unfinished_suffix && entry.is_regular_file(ignored))
            left.push_back(entry.path());
    for (const fs::path& path : left) fs::remove(path, ignored);
}

Result<std::string> read_text(const fs::path& path, std::size_t limit) {
    const Descriptor file = open_file(path, O_RDONLY);
    if (!file) return file_error(path, "open the file", errno);
    std::string text;
    std::array<char, 1 << 16> some{};
    for (;;) {
        const ssize_t got = ::read(file.number(), some.data(), some.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return file_error(path, "read the file", errno);
        if (got == 0) return text;
        text.append(some.data(), static_cast<std::size_t>(got));
        if (text.size() > limit)
            return Error{Fault::file, path.string(), fmt::format("the file is larger than {} bytes", limit),
                         "such a file is not made by Loam: check the path"};
    }
}

} // namespace loam
