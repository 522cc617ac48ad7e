#include "base/input_file.h"

#include <filesystem>
#include <fstream>
#include <vector>

namespace loam {

Result<std::string> read_input_file(const std::string& path, std::size_t limit) {
    const auto fail = [&](std::string what, std::string hint) {
        return Error{Fault::file, path, std::move(what), std::move(hint)};
    };
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (is_directory(status)) return fail("is a folder, not a file", "give a file in it");
    if (is_character_file(status) || is_block_file(status)) return fail("is a device, not a file", "give a file");
    if (is_fifo(status) || is_socket(status)) // it would wait for someone to write
        return fail("is a pipe, not a file", "write what comes out of it to a file, and give that");
    std::ifstream file(path, std::ios::binary);
    if (!file) return fail("cannot be opened", "file names are relative to the scene file");
    std::string bytes;
    std::vector<char> part(1 << 20);
    while (file.read(part.data(), static_cast<std::streamsize>(part.size())) || file.gcount() > 0) {
        bytes.append(part.data(), static_cast<std::size_t>(file.gcount()));
        if (bytes.size() > limit)
            return fail("is larger than " + std::to_string(limit) + " bytes", "check that it is the file you meant");
    }
    if (file.bad()) return fail("cannot be read", "copy it elsewhere and try again");
    return bytes;
}

} // namespace loam
