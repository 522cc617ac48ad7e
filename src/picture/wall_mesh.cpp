#include "picture/wall_mesh.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/parallel.h"
#include "surface/march.h"

namespace loam {
namespace {

using Distance = std::function<double(const Vec3d&)>;

double box_distance(const Bounds& box, const Vec3d& p) {
    const Vec3d q = max(box.lo - p, p - box.hi);
    return std::max({q.x, q.y, q.z});
}

// Blocks that the surface may pass, and those inside; a distance says how far away it is at least, about.
struct Sorted {
    std::vector<BlockKey> passed, interior;
};

Sorted sort_blocks(const Distance& distance, const Bounds& box, double cell) {
    const double edge = block_edge * cell, reach = 1.3 * 0.5 * std::sqrt(3.0) * edge;
    const auto least = [&](double lo) { return static_cast<std::int32_t>(std::floor(lo / edge)) - 1; };
    const auto most = [&](double hi) { return static_cast<std::int32_t>(std::floor(hi / edge)) + 1; };
    Sorted sorted;
    for (std::int32_t z = least(box.lo.z); z <= most(box.hi.z); ++z)
        for (std::int32_t y = least(box.lo.y); y <= most(box.hi.y); ++y)
            for (std::int32_t x = least(box.lo.x); x <= most(box.hi.x); ++x) {
                const double d = distance(edge * Vec3d{x + 0.5, y + 0.5, z + 0.5});
                if (std::abs(d) <= reach)
                    sorted.passed.push_back(key_of({x, y, z}));
                else if (d < 0)
                    sorted.interior.push_back(key_of({x, y, z}));
            }
    return sorted;
}

Triangles march_distance(const Distance& distance, const Bounds& box, double cell) {
    Sorted blocks = sort_blocks(distance, box, cell);
    SparseField field;
    field.cell = cell;
    field.keys = std::move(blocks.passed), field.interior = std::move(blocks.interior);
    field.values.resize(field.keys.size() * block_nodes);
    field.outside = static_cast<float>(-cell), field.inside = static_cast<float>(cell);
    parallel_blocks(field.keys.size(), 4, [&](Range range, std::size_t) {
        for (std::size_t b = range.begin; b != range.end; ++b)
            for (std::size_t n = 0; n < block_nodes; ++n) {
                const Vec3d node{double(n % 8), double(n / 8 % 8), double(n / 64)};
                field.block(b)[n] = static_cast<float>(-distance(field.origin(b) + cell * node));
            }
    });
    SurfaceMesh mesh = march(field);
    return {std::move(mesh.vertices), std::move(mesh.triangles), std::move(mesh.normals), {}, {}};
}

} // namespace

Triangles mesh_of(const Shape& shape, const Bounds& box, double cell) {
    Triangles mesh =
        march_distance([&](const Vec3d& p) { return std::max(shape.distance(p), box_distance(box, p)); }, box, cell);
    // Edges of the shape stay sharp to the eye when normals are those of the shape.
    mesh.normals.resize(mesh.vertices.size());
    parallel_each(mesh.vertices.size(), [&](std::size_t i) {
        const Vec3d p{mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z};
        const bool cut = box_distance(box, p) > shape.distance(p) + 1e-3 * cell;
        const Vec3d n = cut ? Vec3d{} : shape.normal(p);
        mesh.normals[i] = {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
    });
    return mesh;
}

Triangles slab_of(const Shape& shape, const Bounds& box, double cell, double front) {
    Bounds slab = box;
    slab.lo.z = front - 4 * cell, slab.hi.z = front;
    const auto distance = [&](const Vec3d& p) {
        return std::max(shape.distance({p.x, p.y, 0}), box_distance(slab, p));
    };
    Triangles mesh = march_distance(distance, slab, cell);
    mesh.normals.clear();
    return mesh;
}

} // namespace loam
