#include "cache/seal.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "cache/hash.h"

namespace loam {
namespace fs = std::filesystem;
namespace {

struct Seal {
    std::array<char, 8> mark{'L', 'O', 'A', 'M', 'S', 'E', 'A', 'L'};
    std::uint64_t length = 0; // of the content before the seal
    std::uint64_t hash = 0;   // of the content
    std::uint64_t self = 0;   // hash of the three fields above
};
static_assert(sizeof(Seal) == 32);

std::uint64_t self_hash(const Seal& seal) { return hash_of(std::as_bytes(std::span(&seal, 1)).first(24)); }

Error damaged(const fs::path& path, std::string what) {
    return {Fault::file, path.string(), std::move(what),
            "the file was cut off or changed after it was written: use a copy of it, or compute it again"};
}

// Reads exactly size bytes at an offset; returns 0 or the errno (EIO when the file ends too early).
int read_at(int descriptor, std::uint64_t offset, std::byte* to, std::size_t size) {
    while (size > 0) {
        const ssize_t got = ::pread(descriptor, to, size, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return got < 0 ? errno : EIO;
        to += got;
        offset += static_cast<std::uint64_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    return 0;
}

struct Opened {
    Descriptor file;
    Seal seal;
};

Result<Opened> open_sealed(const fs::path& path) {
    // Not blocking: the path may name a pipe.
    Opened opened{Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), {}};
    if (!opened.file) return file_error(path, "open the file", errno);
    struct stat info {};
    if (::fstat(opened.file.number(), &info) != 0) return file_error(path, "look at the file", errno);
    if (S_ISDIR(info.st_mode)) return file_error(path, "open the file", EISDIR);
    if (!S_ISREG(info.st_mode)) return damaged(path, "this is not a regular file");
    const auto size = static_cast<std::uint64_t>(info.st_size);
    if (size < sizeof(Seal))
        return damaged(path, fmt::format("not a file of Loam, or cut off: it has only {} bytes", size));
    Seal& seal = opened.seal;
    if (const int failed =
            read_at(opened.file.number(), size - sizeof seal, reinterpret_cast<std::byte*>(&seal), sizeof seal))
        return file_error(path, "read the file", failed);
    if (seal.mark != Seal{}.mark || seal.self != self_hash(seal))
        return damaged(path, "not a file of Loam, or cut off: the seal at its end is missing");
    if (seal.length != size - sizeof seal)
        return damaged(path,
                       fmt::format("damaged: {} bytes stand where {} were written", size - sizeof seal, seal.length));
    return opened;
}

} // namespace

Status write_sealed(const fs::path& path, Bytes content) {
    Seal seal;
    seal.length = content.size();
    seal.hash = hash_of(content);
    seal.self = self_hash(seal);
    const std::array<Bytes, 2> pieces{content, std::as_bytes(std::span(&seal, 1))};
    return write_durably(path, pieces);
}

Status check_seal_quickly(const fs::path& path) {
    const Result<Opened> opened = open_sealed(path);
    return opened ? Status(Done{}) : opened.error();
}

Status check_seal(const fs::path& path) {
    const Result<Opened> opened = open_sealed(path);
    if (!opened) return opened.error();
    Hash hash;
    std::vector<std::byte> some(1 << 20);
    for (std::uint64_t at = 0; at < opened->seal.length; at += some.size()) {
        const std::size_t size = std::min<std::uint64_t>(some.size(), opened->seal.length - at);
        if (const int failed = read_at(opened->file.number(), at, some.data(), size))
            return file_error(path, "read the file", failed);
        hash.add(std::span(some).first(size));
    }
    if (hash.value() != opened->seal.hash) return damaged(path, "damaged: its content does not fit its checksum");
    return Done{};
}

} // namespace loam
