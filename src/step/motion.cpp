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

void kick_ahead(Pool& pool, double seconds) {
    if (!pool.falls()) return kick(pool, seconds);
    const auto velocity = pool[pool.velocity], acceleration = pool[pool.acceleration], gravity = pool[pool.gravity],
               lack = pool[pool.lack];
    parallel_each(pool.size(), [&](std::size_t i) {
        Float4& v = velocity[i];
        const Vec3d later = (0.5 * seconds) * gravity[i].xyz_double();
        const Vec3d now = v.xyz_double() + seconds * acceleration[i].xyz_double() + lack[i].xyz_double() - later;
        v = float4(now, v.w);
        lack[i] = float4(later + (now - v.xyz_double())); // nor is lost what rounding leaves out, always to one side
    });
}

void hold_back(Pool& pool, double seconds, Column<Float4> push) {
    if (!pool.falls()) return;
    const auto velocity = pool[pool.velocity], lack = pool[pool.lack], by = pool[push];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Vec3d later = (0.5 * seconds) * by[i].xyz_double(), all = velocity[i].xyz_double() + lack[i].xyz_double();
        velocity[i] = float4(velocity[i].xyz_double() - later, velocity[i].w);
        lack[i] = float4(all - velocity[i].xyz_double());
    });
}

namespace {

Column<Float4> falling(Pool& pool) { return pool.declare<Float4>({.name = "falling", .unit = "m/s"}); }

} // namespace

// The velocity that gravity alone would have brought about, at the end of the step.
void note_falling(Pool& pool, double seconds) {
    if (!pool.falls()) return;
    const auto alone = pool[falling(pool)], velocity = pool[pool.velocity], lack = pool[pool.lack],
               gravity = pool[pool.gravity], acceleration = pool[pool.acceleration];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Vec3d others = acceleration[i].xyz_double() - gravity[i].xyz_double();
        alone[i] = float4(velocity[i].xyz_double() + lack[i].xyz_double() - seconds * others);
    });
}

// Others that push by -g hold a particle up. Up to g the share is linear, so that what particles of a drop do to each
// other cancels out; a solid falls as a whole.
void catch_up(StepContext& step, const Laws& laws) {
    Pool& pool = step.particles;
    if (!pool.falls()) return;
    const auto share = pool[pool.declare<float>({.name = "falling_share"})];
    const auto alone = pool[falling(pool)], velocity = pool[pool.velocity], lack = pool[pool.lack],
               gravity = pool[pool.gravity];
    const auto whole = [&](std::size_t i) { return velocity[i].xyz_double() + lack[i].xyz_double(); };
    parallel_each(pool.size(), [&](std::size_t i) {
        const Vec3d g = gravity[i].xyz_double(), by_others = whole(i) - alone[i].xyz_double();
        const double g2 = dot(g, g);
        share[i] = g2 > 0 ? static_cast<float>(1 + dot(by_others, g) / (step.dt * g2)) : 0;
    });
    laws.unite(step, share);
    parallel_each(pool.size(), [&](std::size_t i) {
        const Vec3d all = whole(i);
        const double own = std::clamp(share[i], 0.0f, 2.0f);
        velocity[i] = float4(velocity[i].xyz_double() + own * lack[i].xyz_double(), velocity[i].w);
        lack[i] = float4(all - velocity[i].xyz_double());
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
