#include "folders.h"

#include <algorithm>
#include <chrono>

#include "cache/durable.h"
#include "cache/run_folder.h"

namespace loam::studio {
namespace {

namespace fs = std::filesystem;

Error outside(const std::string& name) {
    return {Fault::usage, name.substr(0, 200), "is not in the folder that was opened",
            "open its folder by `loam studio DIR`"};
}

bool is_below(const fs::path& path, const fs::path& root) {
    return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

bool is_plain(const std::string& name) {
    const fs::path path(name);
    if (name.empty() || name.size() > 1000 || name.find('\0') != std::string::npos || path.is_absolute()) return false;
    return std::none_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
}

// A quick look, without reading the scene: what stands behind "title".
std::string title_of(const std::string& text) {
    const std::size_t key = text.find("\"title\"");
    if (key == std::string::npos) return "";
    const std::size_t begin = text.find('"', text.find(':', key));
    const std::size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
    return end == std::string::npos ? "" : text.substr(begin + 1, std::min<std::size_t>(end - begin - 1, 200));
}

constexpr std::size_t most_offers = 300;

bool is_plain_file(const fs::path& path) {
    std::error_code failed;
    return fs::is_regular_file(fs::symlink_status(path, failed));
}

// visit(path, text) for the scenes in a folder.
template <class Visit> void each_scene(const fs::path& below, const Visit& visit) {
    constexpr std::size_t longest = std::size_t{4} << 20;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(below, failed)) {
        if (entry.path().extension() != ".json" || !entry.is_regular_file(failed) || entry.is_symlink(failed)) continue;
        const Result<std::string> text = read_text(entry.path(), longest);
        if (text && text->find("\"bodies\"") != std::string::npos) visit(entry.path(), *text);
    }
}

void add_scenes(const OpenedFolder& folder, const fs::path& below, Offers& offers) {
    each_scene(below, [&](const fs::path& path, const std::string& text) {
        if (offers.scenes.size() < most_offers)
            offers.scenes.push_back(
                {folder.name_of(path), title_of(text), 0, 0, is_plain_file(shown_picture_of(path))});
    });
}

std::int64_t changed_at(const fs::path& path) {
    std::error_code failed;
    const auto when = fs::last_write_time(path, failed);
    if (failed) return 0;
    const auto age = fs::file_time_type::clock::now() - when;
    const auto system = std::chrono::system_clock::now() - std::chrono::duration_cast<std::chrono::seconds>(age);
    return std::chrono::duration_cast<std::chrono::seconds>(system.time_since_epoch()).count();
}

void add_runs(const OpenedFolder& folder, const fs::path& below, Offers& offers) {
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(below, failed)) {
        if (offers.runs.size() >= most_offers) return;
        if (entry.is_symlink(failed) || !is_run_folder(entry.path())) continue;
        const Result<std::string> text = read_text(entry.path() / "scene.json", std::size_t{16} << 20);
        offers.runs.push_back({folder.name_of(entry.path()), text ? title_of(*text) : "",
                               list_frames(entry.path()).size(), changed_at(entry.path() / "log.jsonl"),
                               is_plain_file(picture_of(entry.path()))});
    }
}

bool by_name(const Offer& a, const Offer& b) { return a.name < b.name; }

} // namespace

Result<fs::path> OpenedFolder::inside(const std::string& name) const {
    if (!is_plain(name)) return outside(name);
    std::error_code failed;
    const fs::path path = fs::canonical(root_ / name, failed);
    if (failed) return Error{Fault::file, name, "is not there", ""};
    return is_below(path, root_) ? Result<fs::path>(path) : outside(name);
}

Result<fs::path> OpenedFolder::new_file(const std::string& name) const {
    if (!is_plain(name)) return outside(name);
    std::error_code failed;
    const fs::path parent = fs::canonical((root_ / name).parent_path(), failed);
    if (failed) return Error{Fault::file, name, "has no folder", ""};
    const fs::path path = parent / fs::path(name).filename();
    if (!is_below(parent, root_) || fs::is_symlink(path, failed)) return outside(name);
    return path;
}

std::string OpenedFolder::name_of(const fs::path& path) const { return path.lexically_relative(root_).string(); }

Offers list_offers(const OpenedFolder& folder) {
    Offers offers;
    add_scenes(folder, folder.root(), offers);
    add_scenes(folder, folder.root() / "examples", offers);
    add_runs(folder, folder.root() / "out", offers);
    std::sort(offers.scenes.begin(), offers.scenes.end(), by_name);
    std::sort(offers.runs.begin(), offers.runs.end(),
              [](const Offer& a, const Offer& b) { return a.when != b.when ? a.when > b.when : by_name(a, b); });
    return offers;
}

bool names_files(const std::string& scene) { return scene.find("\"file\"") != std::string::npos; }

std::vector<Offer> list_gallery(const fs::path& gallery) {
    std::vector<Offer> scenes;
    each_scene(gallery, [&](const fs::path& path, const std::string& text) {
        if (!names_files(text))
            scenes.push_back({path.stem().string(), title_of(text), 0, 0, is_plain_file(picture_of(path))});
    });
    std::sort(scenes.begin(), scenes.end(), by_name);
    return scenes;
}

fs::path picture_of(const fs::path& scene_or_run) {
    if (scene_or_run.extension() == ".json")
        return scene_or_run.parent_path() / "pictures" / (scene_or_run.stem().string() + ".jpg");
    return scene_or_run / "thumbnail.jpg";
}

fs::path shown_picture_of(const fs::path& scene_or_run) {
    fs::path picture = picture_of(scene_or_run);
    if (scene_or_run.extension() != ".json" || is_plain_file(picture)) return picture;
    for (const char* quality : {"", "-preview"}) {
        const fs::path run = fs::current_path() / "out" / (scene_or_run.stem().string() + quality);
        if (is_plain_file(picture_of(run))) picture = picture_of(run);
    }
    return picture;
}

} // namespace loam::studio
