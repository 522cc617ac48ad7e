#include "behaviors/walls/force_passes.h"

#include "passes/pair.h"

namespace loam::LOAM_ISA {

#include "behaviors/walls/wall_forces.law.h"

WallContact wall_forces(const WallForceArgs& a, Range range) {
    WallContact contact;
    for (std::size_t i = range.begin; i != range.end; ++i) {
        if (a.walls.entries[i].count == 0) continue;
        real3 total = zero3();
        real stiffness = broadcast(0), repelled = broadcast(0), speed2 = broadcast(0);
        const real3 own = broadcast(a.velocity[i]);
        each_neighbor(a.walls, i, [&](const Pair& pair) LAW_LAMBDA {
            const real4 law = gather(a.law, pair.j); // strength, stiffness, damping, adhesion
            const real r = pair.r2 * pair.inverse_r, overlap = a.rest - r;
            const real3 e = pair.inverse_r * pair.d, v = own - gather(a.wall_velocity, pair.j).xyz;
            const real approach = dot(v, e);
            real slope = broadcast(0);
            const real repelled_by = lennard_jones(law.xyz.x, pair.inverse_r, broadcast(a.rest), &slope);
            total += (repelled_by + damped_spring(law.xyz.y, law.xyz.z, overlap, approach, &slope)) * e;
            stiffness += slope;
            const real4 normal = gather(a.wall_normal, pair.j); // |w|: depth below the surface
            const real height = (dot(pair.d, normal.xyz) - larger(normal.w, -normal.w)) * (1 / a.rest);
            const real pull = a.adhesion_scale * law.w * adhesion_shape(r * (1 / a.reach), height);
            total -= pull * normal.xyz;
            stiffness += (4.0f / a.rest) * pull; // it sets in over a quarter of the spacing

            const real3 along = v - approach * e;
            const real pressed = repelled_by + law.xyz.y * positive_part(overlap);
            total -=
                friction_rate(gather(a.friction, pair.j), pressed, slope, square_root(dot(along, along) + 1e-12f)) *
                along;

            const real repels = law.xyz.x + law.xyz.y;
            repelled += repels;
            speed2 = larger(speed2, repels > 0.0f ? dot(v, v) : broadcast(0));
        });
        const Float4 t = sum3(total);
        Float4& acceleration = a.acceleration[i];
        acceleration = {acceleration.x + t.x, acceleration.y + t.y, acceleration.z + t.z, acceleration.w};
        const float hardness = sum(stiffness);
        if (!(sum(repelled) + hardness > 0)) continue;
        contact.near = true;
        const float speed = __builtin_sqrtf(sum(speed2)); // lanes summed: on the safe side
        contact.stiffness = hardness > contact.stiffness ? hardness : contact.stiffness;
        contact.speed = speed > contact.speed ? speed : contact.speed;
    }
    return contact;
}

} // namespace loam::LOAM_ISA
