#include "behaviors/knit/layer_order.h"

#include "base/parallel.h"

namespace loam {
namespace {

constexpr double least_gap = 1.0 / 3; // of that at rest
constexpr double restored = 0.2;      // of what is missing, per step
constexpr int rounds = 3;

} // namespace

LayerOrder::LayerOrder(const BodySheet& body, Pool& pool) : body_(body), mesh_({body}) { inertia_.declare(pool); }

Vec3d LayerOrder::normal(const StepContext& step, std::size_t point) const {
    Vec3d sum;
    for (const std::uint32_t f : mesh_.faces_of(point)) {
        const Triangle& t = mesh_.faces()[f].points;
        const std::uint32_t a = mesh_.where(t[0]), b = mesh_.where(t[1]), c = mesh_.where(t[2]);
        if (a == LayerMesh::gone || b == LayerMesh::gone || c == LayerMesh::gone) continue;
        sum += cross(way_between(step, a, b), way_between(step, a, c));
    }
    const double l = length(sum);
    return l > 0 ? sum / l : Vec3d{};
}

void LayerOrder::bound(StepContext& step) {
    if (!(step.dt > 0)) return;
    Pool& pool = step.particles;
    mesh_.locate(pool);
    const auto velocity = pool[pool.velocity];
    const auto per_mass = [&](std::uint32_t i) {
        return pool.is_held(i) ? 0.0 : 1 / static_cast<double>(inertia_.of(pool, i));
    };
    const std::size_t n = body_.sheet->in_layer();
    const std::vector<Vec3d>& rest = body_.sheet->points;
    parallel_each(n, [&](std::size_t k) { // the three particles of a point are nobody else's
        const std::size_t point = body_.first_id + k;
        const std::uint32_t middle = mesh_.where(point), back = mesh_.where(point + n),
                            front = mesh_.where(point + 2 * n);
        if (middle == LayerMesh::gone || back == LayerMesh::gone || front == LayerMesh::gone) return;
        const Vec3d up = normal(step, point);
        const double least = least_gap * length(rest[n + k] - rest[k]);
        for (int round = 0; round < rounds; ++round)
            for (const auto& [lower, upper] : {std::pair{back, middle}, std::pair{middle, front}}) {
                const double missing = least - dot(way_between(step, lower, upper), up);
                const double speed = missing / step.dt * (missing > 0 ? restored : 1);
                const Vec3d u = velocity[upper].xyz_double(), l = velocity[lower].xyz_double();
                const double mobility = per_mass(lower) + per_mass(upper), lacking = speed - dot(u - l, up);
                if (!(lacking > 0 && mobility > 0)) continue;
                velocity[upper] = float4(u + (lacking * per_mass(upper) / mobility) * up, velocity[upper].w);
                velocity[lower] = float4(l - (lacking * per_mass(lower) / mobility) * up, velocity[lower].w);
            }
    });
}

} // namespace loam
