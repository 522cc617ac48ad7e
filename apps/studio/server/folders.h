// The folder that was opened: what the page may name lies in it, and nowhere else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace loam::studio {

class OpenedFolder {
public:
    explicit OpenedFolder(std::filesystem::path root) : root_(std::move(root)) {}

    const std::filesystem::path& root() const { return root_; }

    // A file or folder below the root by its relative name. An error for names that lead out of it: by "..", by being
    // absolute, or by links.
    Result<std::filesystem::path> inside(const std::string& name) const;
    // The same for a file that may not be there yet, in a folder that is.
    Result<std::filesystem::path> new_file(const std::string& name) const;

    // The name that inside() takes.
    std::string name_of(const std::filesystem::path& path) const;

private:
    std::filesystem::path root_; // canonical
};

struct Offer { // something to open
    std::string name, title;
    std::uint64_t frames = 0; // of a run
};
struct Offers {
    std::vector<Offer> scenes, runs;
};
// In the folder, in examples/ and in out/ below it.
Offers list_offers(const OpenedFolder& folder);

} // namespace loam::studio
