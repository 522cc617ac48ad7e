#include "surface/smooth.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/parallel.h"

namespace loam {
namespace {

constexpr float inwards = 0.5f, outwards = -0.53f; // pass band up to 0.11: 1/0.5 - 1/0.53 (Taubin eq. 3)

// The neighbors of each vertex, one list after the other.
struct Adjacency {
    std::vector<std::uint32_t> first, neighbors;

    explicit Adjacency(const SurfaceMesh& mesh)
        : first(mesh.vertices.size() + 1, 0), neighbors(3 * mesh.triangles.size()) {
        // In a closed mesh each neighbor of a vertex is the next corner of exactly one triangle around it.
        for (const auto& t : mesh.triangles)
            for (const std::uint32_t v : t) ++first[v + 1];
        for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
        std::vector<std::uint32_t> place(first.begin(), first.end() - 1);
        for (const auto& t : mesh.triangles)
            for (int k = 0; k < 3; ++k) neighbors[place[t[k]]++] = t[(k + 1) % 3];
    }
};

void move_to_neighbors(SurfaceMesh& mesh, const Adjacency& around, float share, std::vector<Vec3f>& moved) {
    parallel_each(mesh.vertices.size(), [&](std::size_t v) {
        const std::uint32_t begin = around.first[v], end = around.first[v + 1];
        Vec3f mean;
        for (std::uint32_t k = begin; k != end; ++k) mean += mesh.vertices[around.neighbors[k]] - mesh.vertices[v];
        moved[v] = mesh.vertices[v];
        if (end != begin) moved[v] += (share / static_cast<float>(end - begin)) * mean;
    });
    mesh.vertices.swap(moved);
}

struct PieceSize {
    double volume = 0, area = 0;
};

std::vector<PieceSize> sizes_of(const SurfaceMesh& mesh, std::span<const std::uint32_t> piece, std::size_t count) {
    std::vector<PieceSize> sizes(count);
    for (const auto& t : mesh.triangles) {
        const auto at = [&](int k) {
            const Vec3f p = mesh.vertices[t[k]];
            return Vec3d{p.x, p.y, p.z};
        };
        const Vec3d n = cross(at(1) - at(0), at(2) - at(0));
        sizes[piece[t[0]]].volume += dot(at(0), n) / 6;
        sizes[piece[t[0]]].area += 0.5 * length(n);
    }
    return sizes;
}

void give_volume_back(SurfaceMesh& mesh, std::span<const std::uint32_t> piece, std::span<const PieceSize> before) {
    for (int round = 0; round < 3; ++round) {
        const std::vector<PieceSize> now = sizes_of(mesh, piece, before.size());
        compute_normals(mesh);
        parallel_each(mesh.vertices.size(), [&](std::size_t v) {
            const PieceSize &was = before[piece[v]], &is = now[piece[v]];
            if (is.area <= 0) return;
            // Never by more than a tenth of the piece's own size, however thin it is.
            const double limit = 0.1 * std::cbrt(std::abs(was.volume));
            const double by = std::clamp((was.volume - is.volume) / is.area, -limit, limit);
            mesh.vertices[v] += static_cast<float>(by) * mesh.normals[v];
        });
    }
}

} // namespace

void smooth(SurfaceMesh& mesh, int steps) {
    if (steps <= 0 || mesh.triangles.empty()) return;
    const Adjacency around(mesh);
    std::size_t pieces = 0;
    const std::vector<std::uint32_t> piece = connected_pieces(mesh, pieces);
    const std::vector<PieceSize> before = sizes_of(mesh, piece, pieces);
    std::vector<Vec3f> moved(mesh.vertices.size());
    for (int step = 0; step < steps; ++step) {
        move_to_neighbors(mesh, around, inwards, moved);
        move_to_neighbors(mesh, around, outwards, moved);
    }
    give_volume_back(mesh, piece, before);
    compute_normals(mesh);
}

} // namespace loam
