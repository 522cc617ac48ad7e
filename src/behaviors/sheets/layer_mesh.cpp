#include "behaviors/sheets/layer_mesh.h"

#include <algorithm>
#include <map>

namespace loam {

LayerMesh::LayerMesh(const std::vector<BodySheet>& sheets) {
    for (const BodySheet& body : sheets)
        if (body.sheet && !body.sheet->triangles.empty()) add(body);
    face_uses_ = find_uses(faces_, [](const Face& face) { return std::span(face.points); });
    edge_uses_ = find_uses(edges_, [](const Edge& edge) { return std::span(edge.ends); });
}

void LayerMesh::add(const BodySheet& body) {
    const std::vector<Vec3d>& at = body.sheet->points;
    area_.resize(std::max(area_.size(), body.first_id + at.size()), 0);
    std::map<std::array<std::uint32_t, 2>, Edge> edges;
    for (const Triangle& t : body.sheet->triangles) {
        const double area = 0.5 * length(cross(at[t[1]] - at[t[0]], at[t[2]] - at[t[0]]));
        const double longest =
            std::max({length(at[t[0]] - at[t[1]]), length(at[t[1]] - at[t[2]]), length(at[t[2]] - at[t[0]])});
        faces_.push_back(
            {{t[0] + body.first_id, t[1] + body.first_id, t[2] + body.first_id}, body.torn * longest, body.holes});
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            area_[body.first_id + a] += area / 3;
            Edge& edge = edges[{std::min(a, b) + body.first_id, std::max(a, b) + body.first_id}];
            edge.rest = length(at[a] - at[b]);
            edge.area += area;
            edge.torn = std::max(edge.torn, body.torn * longest);
        }
    }
    for (auto& [ends, edge] : edges) edges_.push_back(edge), edges_.back().ends = ends;
}

template <class Items, class Corners>
LayerMesh::Uses LayerMesh::find_uses(const Items& items, const Corners& corners) const {
    Uses uses;
    uses.first.assign(points() + 1, 0);
    for (const auto& item : items)
        for (const std::uint32_t p : corners(item)) ++uses.first[p + 1];
    for (std::size_t p = 0; p < points(); ++p) uses.first[p + 1] += uses.first[p];
    uses.list.resize(uses.first[points()]);
    std::vector<std::uint32_t> next(uses.first.begin(), uses.first.end() - 1);
    for (std::uint32_t k = 0; k < items.size(); ++k)
        for (const std::uint32_t p : corners(items[k])) uses.list[next[p]++] = k;
    return uses;
}

void LayerMesh::locate(const Pool& pool) {
    if (where_.size() != points()) where_.follow_ids(pool, points());
    where_.find(pool);
}

Vec3d way_between(const StepContext& step, std::uint32_t from, std::uint32_t to) {
    const auto position = step.particles[step.particles.position];
    return shortest_way(position[to] - position[from], step.scene.periodic_length);
}

} // namespace loam
