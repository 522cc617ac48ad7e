// The pair pass: for each particle, its neighbors in lanes. Only *.isa.cpp sources include this.
//
//     for (std::size_t i = range.begin; i != range.end; ++i) {
//         real density = broadcast(0);
//         each_neighbor(fluid, i, [&](const Pair& pair) { density += pair.volume * value(kernel, pair); });
//         out[i] = sum(density);
//     }
#pragma once

#include "base/lanes.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam::LOAM_ISA {

#include "passes/kernel.law.h"

struct Pair {
    const std::uint32_t* j; // the neighbors' indices, one per lane; padding lanes are infinitely far
    real3 d;                // x_i - x_j
    real volume;            // V_j
    real r2, inverse_r;     // |d|^2 and 1 / |d|
};

// W and (dW/dr) / r of a pair; the gradient of W at i is slope * d.
LAW real value(const Kernel& k, const Pair& p) {
    return k.value_scale * kernel_shape(k.kind, p.r2 * p.inverse_r * k.inverse_support, p.inverse_r * k.support);
}
LAW real slope(const Kernel& k, const Pair& p) {
    return k.slope_scale * kernel_slope_shape(k.kind, p.r2 * p.inverse_r * k.inverse_support, p.inverse_r * k.support);
}
// The same for the kernel of walls, see kernel.h.
struct WallShare {
    real value;
    real3 gradient;
};
// How far the particle is above (or below) the layer of the wall particle, and which way that grows. An edge has no
// layer: what is beside it would be at height 0. There it is the distance from the wall particle itself.
struct WallHeight {
    real height, depth; // depth: of the wall particle below the surface
    real3 up;
};
LAW WallHeight wall_height(const Pair& p, const Float4* normals) {
    const real4 n = gather(normals, p.j);
    const real above = dot(n.xyz, p.d);
    const auto along = [&](real d, real axis)
                           LAW_LAMBDA { return n.w < 0.0f ? p.inverse_r * d : (above < 0.0f ? -axis : axis); };
    return {n.w < 0.0f ? p.r2 * p.inverse_r : larger(above, -above),
            larger(n.w, -n.w),
            {along(p.d.x, n.xyz.x), along(p.d.y, n.xyz.y), along(p.d.z, n.xyz.z)}};
}
LAW WallShare wall_share(const WallKernel& wall, const Kernel& k, const Pair& p, const WallHeight& at) {
    const real w = value(k, p);
    const real t = (wall.support - at.height) * wall.inverse_span, t2 = t * t;
    const real f = t2 * t * (wall.full + wall.extra * t);
    const real falling = t2 * (3.0f * wall.full + 4.0f * wall.extra * t) * wall.inverse_span; // -df / dheight
    return {f * w, (f * slope(k, p)) * p.d - (falling * w) * at.up};
}
LAW WallShare wall_share(const WallKernel& wall, const Kernel& k, const Pair& p, const Float4* normals) {
    return wall_share(wall, k, p, wall_height(p, normals));
}

// W and its slope for a pair of which one may be a solid: see SolidKernel. `solid` is 1 for solids, else 0; null when
// there are none.
struct PairShare {
    real value, slope;
};
LAW PairShare pair_share(const SolidKernel& solids, const Kernel& k, const Pair& p, const float* solid, std::size_t i) {
    const real w = value(k, p), s = slope(k, p);
    if (!solid) return {w, s};
    const real other = gather(solid, p.j), own = broadcast(solid[i]);
    const real r = p.r2 * p.inverse_r, far = larger(r, broadcast(solids.nearest));
    const real t = positive_part(solids.support - far) * solids.inverse_span, t2 = t * t;
    const real f = t2 * t * (solids.full + solids.extra * t);
    const real falling = t2 * (3.0f * solids.full + 4.0f * solids.extra * t) * solids.inverse_span; // -df / dr
    const real steep = f * s - (r < solids.nearest ? broadcast(0) : falling) * w * p.inverse_r;
    return {other == own ? w : f * w, other == own ? s : steep};
}

// Particles in one place have no direction; this keeps 1 / r finite.
inline constexpr float least_r2 = 1e-18f;

template <class Visit> LAW void each_neighbor(const PairView& view, std::size_t i, const Visit& visit) {
    const NeighborList::Entry entry = view.entries[i];
    const std::uint32_t* const begin = view.blocks[i / block_size] + entry.start;
    const real3 at = broadcast(view.query_place[i]);
    for (std::uint32_t k = 0; k < entry.count; k += lanes) {
        Pair pair;
        pair.j = begin + k;
        const real4 other = gather(view.target_place, pair.j);
        pair.d = at - other.xyz;
        if (view.periodic) {
            pair.d.x -= view.length[0] * nearest_whole(pair.d.x * view.inverse_length[0]);
            pair.d.y -= view.length[1] * nearest_whole(pair.d.y * view.inverse_length[1]);
            pair.d.z -= view.length[2] * nearest_whole(pair.d.z * view.inverse_length[2]);
        }
        pair.volume = other.w;
        pair.r2 = dot(pair.d, pair.d) + least_r2;
        pair.inverse_r = inverse_root(pair.r2);
        visit(pair);
    }
}

} // namespace loam::LOAM_ISA
