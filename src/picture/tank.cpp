#include "picture/tank.h"

#include <array>
#include <cmath>

#include "picture/wall_mesh.h"

namespace loam {
namespace {

constexpr double edge_share = 0.0022; // radius of an edge, beside the diagonal of the tank
constexpr double cells_along = 96;

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

void add_quad(Triangles& to, const std::array<Vec3d, 4>& corners) {
    const auto first = static_cast<std::uint32_t>(to.vertices.size());
    for (const Vec3d& c : corners) to.vertices.push_back(single(c));
    to.corners.push_back({first, first + 1, first + 2});
    to.corners.push_back({first, first + 2, first + 3});
}

void add_edge(Curves& to, const Vec3d& a, const Vec3d& b, double radius) {
    std::array<Float4, 4> thread;
    for (int k = 0; k < 4; ++k) {
        const Vec3f p = single(a + static_cast<double>(k - 1) * (b - a));
        thread[static_cast<std::size_t>(k)] = {p.x, p.y, p.z, static_cast<float>(radius)};
    }
    to.add(thread, glass_edge_material().color);
}

Tank box_tank(const Bounds& box) {
    Tank tank;
    // Around the floor, seen from above against the clock.
    const std::array<Vec3d, 4> low{{{box.lo.x, box.lo.y, box.hi.z},
                                    {box.hi.x, box.lo.y, box.hi.z},
                                    {box.hi.x, box.lo.y, box.lo.z},
                                    {box.lo.x, box.lo.y, box.lo.z}}};
    const Vec3d up{0, box.hi.y - box.lo.y, 0};
    const double radius = edge_share * length(box.size());
    for (std::size_t k = 0; k < 4; ++k) {
        const Vec3d &a = low[k], &b = low[(k + 1) % 4];
        add_quad(tank.panes, {a, b, b + up, a + up});
        add_edge(tank.edges, a, b, radius);
        add_edge(tank.edges, a, a + up, radius);
        add_edge(tank.edges, a + up, b + up, radius);
    }
    return tank;
}

// Sides only: what one looks down through would be a lid, and below is the floor.
Triangles sides_of(Triangles mesh, const Bounds& box, double cell) {
    std::vector<std::array<std::uint32_t, 3>> kept;
    for (const auto& c : mesh.corners) {
        const Vec3f &a = mesh.vertices[c[0]], &b = mesh.vertices[c[1]], &d = mesh.vertices[c[2]];
        const Vec3f normal = normalized(cross(b - a, d - a)), middle = (1.0f / 3) * (a + b + d);
        const Bounds within = box.grown(-0.6 * cell);
        if (std::abs(normal.y) < 0.93f && within.contains({middle.x, middle.y, middle.z})) kept.push_back(c);
    }
    mesh.corners = std::move(kept);
    return mesh;
}

} // namespace

Material glass_material() {
    Material glass;
    glass.kind = Material::Kind::pane;
    glass.ior = 1.5f;
    glass.absorption = {0.045f, 0.022f, 0.028f};
    return glass;
}

Material glass_edge_material() {
    Material edge;
    edge.color = {0.42f, 0.58f, 0.54f};
    edge.coat = true;
    edge.ior = 1.5f;
    edge.let_through = 0.5f;
    return edge;
}

std::optional<Bounds> box_inside_of(const Shape& container) {
    const Bounds box = container.bounds();
    const Vec3d size = box.size();
    if (!(length(size) < 1e9)) return {};
    const double exact = 1e-6 * length(size);
    constexpr int along = 5;
    for (int k = 0; k < along * along * along; ++k) {
        const Vec3d share{(k % along + 0.5) / along, (k / along % along + 0.5) / along,
                          (k / (along * along) + 0.5) / along};
        const Vec3d p = box.lo + Vec3d{share.x * size.x, share.y * size.y, share.z * size.z};
        const Vec3d near = min(p - box.lo, box.hi - p);
        if (std::abs(container.distance(p) - std::min({near.x, near.y, near.z})) > exact) return {};
    }
    return box;
}

Tank tank_of(const Shape& container, const TankOptions& options) {
    if (std::optional<Bounds> box = box_inside_of(container)) {
        box->lo -= Vec3d{options.gap, 0, options.gap}, box->hi += Vec3d{options.gap, 0, options.gap};
        box->hi.y = std::min(box->hi.y, options.top);
        return box_tank(*box);
    }
    Bounds box = container.bounds();
    const Vec3d size = box.size();
    const double cell = std::max({size.x, size.y, size.z}) / cells_along;
    box = box.grown(3 * cell + options.gap);
    box.hi.y = std::min(box.hi.y, options.top);
    Triangles mesh = mesh_of(container, box, cell);
    mesh.normals.clear();
    return {sides_of(std::move(mesh), box, cell), {}};
}

} // namespace loam
