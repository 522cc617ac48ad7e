// Files that are either whole or not there: written under another name, brought to the disk, then renamed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace loam {

// Names of files still being written end so; what is left of them after a crash is rubbish.
inline constexpr std::string_view unfinished_suffix = ".part";

// The error for a failed system call, with advice: what was tried ("write the frame"), and its errno.
Error file_error(const std::filesystem::path& path, std::string_view tried, int error_number);

// Owns a file descriptor.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();

    int number() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }
    int close(); // returns 0 or the errno

private:
    int number_;
};

using Bytes = std::span<const std::byte>;

inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

// Writes all of it; returns 0 or the errno.
int write_all(int descriptor, Bytes bytes);

// The pieces, one after the other, become the file `path`, which is replaced in one go if it is there. After an error
// `path` is as it was and nothing else is left. After success the file survives a power cut.
Status write_durably(const std::filesystem::path& path, std::span<const Bytes> pieces);

// Brings what another program has written into a file to the disk.
Status bring_to_disk(const std::filesystem::path& path);

// Creates the folder and its parents; all of them, or none.
Status make_folder(const std::filesystem::path& folder);

// Brings names that were added to or removed from a folder to the disk.
Status sync_folder(const std::filesystem::path& folder);

// Removes what crashed writers left in a folder.
void remove_unfinished(const std::filesystem::path& folder);

// The whole text of a file of at most `limit` bytes.
Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit);

} // namespace loam
