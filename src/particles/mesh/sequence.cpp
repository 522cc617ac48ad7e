// One mesh file per frame.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/input_file.h"
#include "particles/mesh/animation.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_frames = 100000, most_vertices = 500'000'000; // in all frames

// Smooth in time: cubics through the frames (Catmull and Rom), so that velocities have no steps.
class Sequence final : public MeshAnimation {
public:
    Sequence(std::vector<Triangle> triangles, std::vector<std::vector<Vec3d>> frames, double fps, bool repeats)
        : frames_(std::move(frames)), fps_(fps), repeats_(repeats) {
        triangles_ = std::move(triangles);
        duration_ = static_cast<double>(frames_.size() - (repeats ? 0 : 1)) / fps;
    }

    std::vector<Vec3d> vertices(double time) const override {
        const double at = std::clamp(time, 0.0, duration_) * fps_, whole = std::floor(at), t = at - whole;
        const auto k = static_cast<std::ptrdiff_t>(whole);
        const auto &before = frame(k - 1), &from = frame(k), &to = frame(k + 1), &after = frame(k + 2);
        // Beyond its ends a sequence would go on as it begins and ends.
        const bool first = !repeats_ && k == 0,
                   last = !repeats_ && k + 2 >= static_cast<std::ptrdiff_t>(frames_.size());
        std::vector<Vec3d> now(from.size());
        for (std::size_t v = 0; v < now.size(); ++v) {
            const Vec3d way = to[v] - from[v];
            const Vec3d leave = first ? way : 0.5 * (to[v] - before[v]),
                        arrive = last ? way : 0.5 * (after[v] - from[v]);
            now[v] = from[v] + t * (leave + t * (3.0 * way - 2.0 * leave - arrive + t * (leave + arrive - 2.0 * way)));
        }
        return now;
    }

private:
    const std::vector<Vec3d>& frame(std::ptrdiff_t k) const {
        const auto count = static_cast<std::ptrdiff_t>(frames_.size());
        k = repeats_ ? (k % count + count) % count : std::clamp<std::ptrdiff_t>(k, 0, count - 1);
        return frames_[static_cast<std::size_t>(k)];
    }

    std::vector<std::vector<Vec3d>> frames_;
    double fps_;
    bool repeats_;
};

// walk_###.obj: what stands before and behind the number, and its digits.
struct Pattern {
    std::string before, after;
    std::size_t digits;

    std::string name(std::size_t number) const { return fmt::format("{}{:0{}}{}", before, number, digits, after); }
};

Pattern pattern_of(const std::string& path) {
    const std::size_t first = path.find('#'), last = path.find_last_of('#');
    return {path.substr(0, first), path.substr(last + 1), last - first + 1};
}

Result<MeshAnimationPtr> read_sequence(const std::string& path, double fps, bool repeats) {
    const Pattern pattern = pattern_of(path);
    std::error_code ignored;
    std::size_t number = 0;
    while (number < 2 && !fs::exists(pattern.name(number), ignored)) ++number; // counted from 0 or from 1
    if (!fs::exists(pattern.name(number), ignored))
        return Error{Fault::file, path,
                     "there is no first frame: neither " + pattern.name(0) + " nor " + pattern.name(1),
                     "each # stands for one digit of the number of a frame"};
    std::vector<Triangle> triangles;
    std::vector<std::vector<Vec3d>> frames;
    for (; fs::exists(pattern.name(number), ignored); ++number) {
        const std::string name = pattern.name(number);
        Result<Mesh> mesh = read_mesh(name);
        if (!mesh) return mesh.error();
        if (frames.empty()) triangles = mesh->triangles;
        if (mesh->triangles != triangles || (!frames.empty() && mesh->vertices.size() != frames.front().size()))
            return Error{
                Fault::file, name, "has other triangles than the first frame",
                "all frames must be one mesh whose vertices move: export them with the same order of vertices"};
        frames.push_back(std::move(mesh->vertices));
        if (frames.size() > most_frames || frames.size() * frames.front().size() > most_vertices)
            return Error{Fault::file, path, "has too many frames", "a shorter sequence, or a coarser mesh"};
    }
    return MeshAnimationPtr(std::make_shared<Sequence>(std::move(triangles), std::move(frames), fps, repeats));
}

} // namespace

Result<MeshAnimationPtr> read_animation(const std::string& path, double fps, bool repeats) {
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".gltf" || ending == ".glb") {
        const Result<std::string> bytes = read_input_file(path);
        if (!bytes) return bytes.error();
        return parse_gltf(*bytes, path, fs::path(path).parent_path().string());
    }
    if (path.find('#') != std::string::npos) return read_sequence(path, fps, repeats);
    return Error{Fault::file, path, "is neither glTF nor a sequence of meshes",
                 "known: .gltf, .glb, or names such as walk_###.obj (also .ply, .stl) with # for each digit"};
}

} // namespace loam
