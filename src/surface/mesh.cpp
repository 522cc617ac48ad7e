#include "surface/mesh.h"

#include <algorithm>
#include <numeric>

#include "base/reductions.h"

namespace loam {
namespace {

Vec3d wide(const Vec3f& p) { return {p.x, p.y, p.z}; }

// Twice the area of a triangle, along its normal.
Vec3d area_vector(const SurfaceMesh& mesh, const std::array<std::uint32_t, 3>& t) {
    const Vec3d a = wide(mesh.vertices[t[0]]);
    return cross(wide(mesh.vertices[t[1]]) - a, wide(mesh.vertices[t[2]]) - a);
}

template <class Term> double sum_over_triangles(const SurfaceMesh& mesh, const Term& term) {
    return parallel_sum(mesh.triangles.size(), [&](std::size_t i) { return term(mesh.triangles[i]); });
}

std::uint32_t root_of(std::vector<std::uint32_t>& parent, std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
}

// Directed edges as from << 32 | to, sorted.
std::vector<std::uint64_t> directed_edges(const SurfaceMesh& mesh) {
    std::vector<std::uint64_t> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) edges.push_back(std::uint64_t{t[k]} << 32 | t[(k + 1) % 3]);
    std::sort(edges.begin(), edges.end());
    return edges;
}

// Triangles around a vertex form one fan when walking from triangle to triangle across its edges meets all of them.
bool one_fan_each(const SurfaceMesh& mesh) {
    struct Wedge {
        std::uint32_t vertex, from, to;
    };
    std::vector<Wedge> wedges;
    wedges.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) wedges.push_back({t[k], t[(k + 1) % 3], t[(k + 2) % 3]});
    std::sort(wedges.begin(), wedges.end(), [](const Wedge& a, const Wedge& b) {
        return a.vertex != b.vertex ? a.vertex < b.vertex : a.from < b.from;
    });
    for (std::size_t begin = 0; begin < wedges.size();) {
        std::size_t end = begin;
        while (end < wedges.size() && wedges[end].vertex == wedges[begin].vertex) ++end;
        std::size_t met = 0;
        for (std::uint32_t next = wedges[begin].from; met < end - begin; ++met) {
            const auto at = std::find_if(wedges.begin() + static_cast<std::ptrdiff_t>(begin),
                                         wedges.begin() + static_cast<std::ptrdiff_t>(end),
                                         [&](const Wedge& w) { return w.from == next; });
            if (at == wedges.begin() + static_cast<std::ptrdiff_t>(end)) return false;
            next = at->to;
            if (next == wedges[begin].from) {
                ++met;
                break;
            }
        }
        if (met != end - begin) return false;
        begin = end;
    }
    return true;
}

} // namespace

double area(const SurfaceMesh& mesh) {
    return 0.5 * sum_over_triangles(mesh, [&](const auto& t) { return length(area_vector(mesh, t)); });
}

double enclosed_volume(const SurfaceMesh& mesh) {
    if (mesh.vertices.empty()) return 0;
    const Vec3d near = wide(mesh.vertices[0]); // sums of small numbers round less
    return sum_over_triangles(mesh,
                              [&](const auto& t) {
                                  return dot(wide(mesh.vertices[t[0]]) - near,
                                             cross(wide(mesh.vertices[t[1]]) - near, wide(mesh.vertices[t[2]]) - near));
                              }) /
           6;
}

std::vector<std::uint32_t> connected_pieces(const SurfaceMesh& mesh, std::size_t& count) {
    std::vector<std::uint32_t> parent(mesh.vertices.size());
    std::iota(parent.begin(), parent.end(), 0u);
    for (const auto& t : mesh.triangles)
        for (int k = 1; k < 3; ++k) {
            const std::uint32_t a = root_of(parent, t[0]), b = root_of(parent, t[k]);
            parent[std::max(a, b)] = std::min(a, b);
        }
    std::vector<std::uint32_t> piece(parent.size());
    count = 0;
    for (std::uint32_t v = 0; v < parent.size(); ++v) { // a root is the least of its piece, so it comes first
        const std::uint32_t root = root_of(parent, v);
        piece[v] = root == v ? static_cast<std::uint32_t>(count++) : piece[root];
    }
    return piece;
}

Topology topology(const SurfaceMesh& mesh) {
    Topology result;
    const std::vector<std::uint64_t> edges = directed_edges(mesh);
    std::size_t undirected = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const std::uint64_t back = edges[i] << 32 | edges[i] >> 32;
        if (i > 0 && edges[i] == edges[i - 1]) {
            result.manifold = false;
            continue;
        }
        const auto [first, last] = std::equal_range(edges.begin(), edges.end(), back);
        const auto same = std::equal_range(edges.begin(), edges.end(), edges[i]);
        if (last - first != same.second - same.first) result.closed = false;
        undirected += edges[i] < back || first == last;
    }
    std::vector<bool> used(mesh.vertices.size(), false);
    for (const auto& t : mesh.triangles) {
        for (const std::uint32_t v : t) used[v] = true;
        result.degenerate += t[0] == t[1] || t[1] == t[2] || t[2] == t[0] || length(area_vector(mesh, t)) == 0;
    }
    const auto vertices = std::count(used.begin(), used.end(), true);
    result.euler = vertices - static_cast<std::int64_t>(undirected) + static_cast<std::int64_t>(mesh.triangles.size());
    connected_pieces(mesh, result.components);
    result.components -= mesh.vertices.size() - static_cast<std::size_t>(vertices);
    result.manifold = result.manifold && result.closed && one_fan_each(mesh);
    return result;
}

void compute_normals(SurfaceMesh& mesh) {
    std::vector<Vec3d> sums(mesh.vertices.size());
    for (const auto& t : mesh.triangles) {
        const Vec3d n = area_vector(mesh, t);
        for (const std::uint32_t v : t) sums[v] += n;
    }
    mesh.normals.resize(sums.size());
    parallel_each(sums.size(), [&](std::size_t v) {
        const Vec3d n = normalized(sums[v]);
        mesh.normals[v] = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
    });
}

} // namespace loam
