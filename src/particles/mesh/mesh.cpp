#include "particles/mesh/mesh.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/input_file.h"

namespace loam {
namespace {

constexpr double largest_coordinate = 1e9;

std::string lower_ending(const std::string& path) {
    std::string ending = path.substr(std::min(path.size(), path.find_last_of('.') + 1));
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending;
}

Result<MeshFormat> format_of(const std::string& path, std::string_view bytes) {
    const std::string ending = lower_ending(path);
    if (ending == "obj") return MeshFormat::obj;
    if (ending == "ply" || bytes.substr(0, 4) == "ply\n") return MeshFormat::ply;
    if (ending == "stl" || bytes.substr(0, 6) == "solid ") return MeshFormat::stl;
    return Error{Fault::file, path, "is not a mesh file that Loam knows by its ending",
                 "known: .obj, .ply (ascii or binary), .stl (ascii or binary)"};
}

} // namespace

Bounds Mesh::bounds() const {
    Bounds all;
    for (const Triangle& t : triangles)
        for (const std::uint32_t v : t) all.add(vertices[v]);
    return all;
}

Result<Mesh> parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name) {
    Result<Mesh> mesh = format == MeshFormat::obj   ? parse_obj(bytes, name)
                        : format == MeshFormat::ply ? parse_ply(bytes, name)
                                                    : parse_stl(bytes, name);
    if (!mesh) return mesh;
    const Bounds b = mesh->bounds();
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (b.lo[axis] < -largest_coordinate || b.hi[axis] > largest_coordinate)
            return Error{Fault::file, name, "has coordinates beyond a million kilometres", "lengths are in metres"};
    return mesh;
}

Result<Mesh> read_mesh(const std::string& path) {
    const Result<std::string> bytes = read_input_file(path);
    if (!bytes) return bytes.error();
    const Result<MeshFormat> format = format_of(path, *bytes);
    if (!format) return format.error();
    return parse_mesh(*bytes, *format, path);
}

void weld(Mesh& mesh) {
    std::vector<std::uint32_t> order(mesh.vertices.size()), place(mesh.vertices.size());
    std::iota(order.begin(), order.end(), 0u);
    for (Vec3d& v : mesh.vertices) v += Vec3d{}; // -0 becomes 0
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const Vec3d &p = mesh.vertices[a], &q = mesh.vertices[b];
        if (p.x != q.x) return p.x < q.x;
        if (p.y != q.y) return p.y < q.y;
        return p.z != q.z ? p.z < q.z : a < b;
    };
    std::sort(order.begin(), order.end(), before);
    std::vector<Vec3d> kept;
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || !(mesh.vertices[order[i]] == kept.back())) kept.push_back(mesh.vertices[order[i]]);
        place[order[i]] = static_cast<std::uint32_t>(kept.size() - 1);
    }
    std::vector<Triangle> triangles;
    for (const Triangle& t : mesh.triangles) {
        const Triangle w{place[t[0]], place[t[1]], place[t[2]]};
        if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0]) triangles.push_back(w);
    }
    mesh = {std::move(kept), std::move(triangles)};
}

OpenEdges open_edges(const Mesh& mesh) {
    struct Edge {
        std::uint32_t lo, hi;
        int direction; // 1 from lo to hi
    };
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const Triangle& t : mesh.triangles)
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi; });
    OpenEdges open;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t end = i;
        int sum = 0;
        for (; end < edges.size() && edges[end].lo == edges[i].lo && edges[end].hi == edges[i].hi; ++end)
            sum += edges[end].direction;
        for (int n = 0; n < std::abs(sum); ++n) {
            if (sum > 0)
                open.edges.push_back({edges[i].hi, edges[i].lo});
            else
                open.edges.push_back({edges[i].lo, edges[i].hi});
        }
        i = end;
    }
    return open;
}

void close(Mesh& mesh, const OpenEdges& open) {
    // As many open edges leave a vertex as arrive there, so that following them always leads back to the start.
    std::multimap<std::uint32_t, std::uint32_t> next;
    for (const auto& [from, to] : open.edges) next.emplace(from, to);
    while (!next.empty()) {
        std::vector<std::uint32_t> loop;
        for (auto edge = next.begin(); edge != next.end();) {
            loop.push_back(edge->first);
            const std::uint32_t to = edge->second;
            next.erase(edge);
            edge = to == loop.front() ? next.end() : next.find(to);
        }
        Vec3d middle;
        for (const std::uint32_t v : loop) middle += mesh.vertices[v];
        const auto center = static_cast<std::uint32_t>(mesh.vertices.size());
        mesh.vertices.push_back(middle / static_cast<double>(loop.size()));
        for (std::size_t i = 0; i < loop.size(); ++i)
            mesh.triangles.push_back({loop[i], loop[(i + 1) % loop.size()], center});
    }
}

double signed_volume(const Mesh& mesh) {
    const Vec3d origin = mesh.vertices.empty() ? Vec3d{} : mesh.vertices[0];
    double sum = 0;
    for (const Triangle& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[t[0]] - origin, b = mesh.vertices[t[1]] - origin,
                    c = mesh.vertices[t[2]] - origin;
        sum += dot(a, cross(b, c)) / 6;
    }
    return sum;
}

} // namespace loam
