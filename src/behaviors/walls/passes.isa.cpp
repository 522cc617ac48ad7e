#include "behaviors/walls/passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {
namespace {

#include "behaviors/walls/friction.law.h"

// Sums over the wall particles of one kind of slip. Friction is that of pressure, so of walls with a volume only.
enum class Slip { friction, no, no_at_walls_without_volume };
struct Touch {
    Float4 gradient; // sum V grad W_wall: into the wall
    Float4 velocity; // mean
    float contact;   // sum V W
    float friction;  // mean coefficient
};

LAW Touch touch(const WallFrictionArgs& a, std::size_t i, Slip kind) {
    real3 gradient = zero3(), velocity = zero3();
    real contact = broadcast(0), friction = broadcast(0);
    each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
        const real4 wall = gather(a.wall_velocity, pair.j);
        const real slip = kind == Slip::friction ? wall.w : -wall.w;
        const real solid = kind == Slip::no_at_walls_without_volume ? broadcast(0) : pair.volume;
        const real other = kind == Slip::friction ? broadcast(0) : broadcast(a.cell);
        const real volume = slip > 0.0f ? (pair.volume > 0.0f ? solid : other) : broadcast(0);
        const real w = volume * value(a.kernel, pair);
        gradient += volume * wall_share(a.wall_kernel, a.kernel, pair, a.wall_normal).gradient;
        velocity += w * wall.xyz;
        contact += w;
        friction += w * slip;
    });
    Touch t{sum3(gradient), sum3(velocity), sum(contact), sum(friction)};
    const float scale = t.contact > 0 ? 1 / t.contact : 0;
    t.velocity = {scale * t.velocity.x, scale * t.velocity.y, scale * t.velocity.z, 0};
    t.friction *= scale;
    return t;
}

// Splits the velocity relative to the wall and keeps `kept(speed along the wall)` of the part along it.
template <class Kept> LAW void brake(Float4& v, const Touch& t, float push, const Kept& kept) {
    const Float4& n = t.gradient;
    const float u[3]{v.x - t.velocity.x, v.y - t.velocity.y, v.z - t.velocity.z};
    const float into = (u[0] * n.x + u[1] * n.y + u[2] * n.z) / (push * push);
    const float along[3]{u[0] - into * n.x, u[1] - into * n.y, u[2] - into * n.z};
    const float speed = __builtin_sqrtf(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    if (!(speed > 0)) return;
    const float lost = 1 - kept(speed);
    v = {v.x - lost * along[0], v.y - lost * along[1], v.z - lost * along[2], v.w};
}

LAW float size(const Float4& a) { return __builtin_sqrtf(a.x * a.x + a.y * a.y + a.z * a.z); }

} // namespace

void wall_friction(const WallFrictionArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (a.walls.entries[i].count == 0 || a.sticks_by_itself[a.body[i]] == 2) continue;
        const Touch rough = touch(a, i, Slip::friction);
        if (const float g = size(rough.gradient); g > 0 && a.pressure[i] > 0) {
            const float push = a.volume[i] / a.mass[i] * a.pressure[i] * g;
            brake(a.velocity[i], rough, g,
                  [&](float speed) LAW_LAMBDA { return kept_by_friction(speed, rough.friction, push, a.dt); });
        }
        const bool sticks_already = a.sticks_by_itself[a.body[i]];
        if (sticks_already && a.cell == 0) continue;
        const Touch sticky = touch(a, i, sticks_already ? Slip::no_at_walls_without_volume : Slip::no);
        if (const float g = size(sticky.gradient); g > 0)
            brake(a.velocity[i], sticky, g,
                  [&](float) LAW_LAMBDA { return kept_by_sticking(sticky.contact, a.full_contact); });
    }
}

} // namespace loam::LOAM_ISA
