#include "step/motion.h"

#include <algorithm>
#include <cmath>

namespace loam {

void kick(Pool& pool, double seconds) {
    const auto velocity = pool[pool.velocity];
    const auto acceleration = pool[pool.acceleration];
    const float dt = static_cast<float>(seconds);
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        const Float4& a = acceleration[i];
        v = {v.x + dt * a.x, v.y + dt * a.y, v.z + dt * a.z, v.w};
    });
}

Moved move_particles(StepContext& step, double seconds) {
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto velocity = pool[pool.velocity];
    return parallel_reduce(
        pool.size(), Moved{},
        [&](Range range) {
            Moved some;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Vec3d way = seconds * velocity[i].xyz_double();
                const Vec3d p = step.scene.in_period(position[i] + way);
                if (!is_finite(p)) some.lost = std::min(some.lost, i);
                some.farthest2 = std::max(some.farthest2, dot(way, way));
                position[i] = p;
            }
            return some;
        },
        [](const Moved& a, const Moved& b) {
            return Moved{std::min(a.lost, b.lost), std::max(a.farthest2, b.farthest2)};
        });
}

void shift(StepContext& step, double strength, double seconds) {
    Pool& pool = step.particles;
    if (strength <= 0 || pool.size() == 0) return;
    const auto gradient = pool[pool.declare<Float4>({.name = "kernel_gradient"})];
    const auto position = pool[pool.position];
    const auto density = pool[pool.density];
    const double scale = strength * 0.5 * step.scene.kernel.support * pool.fastest() * seconds,
                 most = 0.1 * step.scene.spacing;
    parallel_each(pool.size(), [&](std::size_t i) {
        if (density[i] < 0.95f || step.is_solid(i)) return;
        const Vec3d by = -scale * gradient[i].xyz_double();
        const double l = length(by);
        position[i] += l > most ? most / l * by : by;
    });
}

} // namespace loam
