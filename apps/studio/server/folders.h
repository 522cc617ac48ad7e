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
    std::int64_t when = 0;    // its newest frame [s since 1970]
    bool pictured = false;    // see picture_of()
};
struct Offers {
    std::vector<Offer> scenes, runs;
};
// In the folder, in examples/ and in out/ below it; the newest runs first.
Offers list_offers(const OpenedFolder& folder);
// Whether a scene may need other files: meshes, heights.
bool names_files(const std::string& scene);
// Scenes elsewhere that may be copied: those that need no other files.
std::vector<Offer> list_gallery(const std::filesystem::path& gallery);

// pictures/NAME.jpg beside a scene, thumbnail.jpg in a run.
std::filesystem::path picture_of(const std::filesystem::path& scene_or_run);
// The same; where a scene has none, that of its run in this folder.
std::filesystem::path shown_picture_of(const std::filesystem::path& scene_or_run);

} // namespace loam::studio
