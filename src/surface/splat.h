// Sums of particles' kernels at the nodes of one block: the inner loops of all methods. Lengths are in cells, relative
// to the block's first node; e = x - x_j is the way from a particle to a node, q = |e| / reach, w(q) = (1 - q^2)^3.
//
//   splat_color      sum_j s_j w                                            1 sum per node
//   splat_mean       sum_j w, w e (3), w r_j                                5
//   splat_movement   as splat_mean, then g e (3), g e e^T (xx yy zz xy xz yz) with g e = grad w          14
//   splat_vector     sum_j s_j w, s_j w v_j (3)                             4
//   splat_ellipsoid  sum_j s_j w(|G_j e|), G_j^T G_j given as six numbers   1
#pragma once

#include <cstddef>

#include "base/instruction_set.h"

namespace loam {

struct Blob {
    float x, y, z;
    float reach;
    float weight; // s_j
    float radius; // r_j
};

struct Ellipsoid {
    float x, y, z;
    float reach; // of the longest half-axis
    float weight;
    float xx, yy, zz, xy, xz, yz; // of G^T G
};

struct VectorBlob {
    float x, y, z;
    float reach;
    float weight;
    float vx, vy, vz; // v_j
};

template <class Shape> struct SplatArgs {
    const Shape* shapes;
    std::size_t count;
    bool flat;   // 2D: only the 8 x 8 nodes of the first layer, and distances in the plane
    float* sums; // block_nodes for each sum, all of one sum together; aligned to 32 bytes, zeroed by the caller
};

LOAM_DISPATCH(splat_color, void(const SplatArgs<Blob>&))
LOAM_DISPATCH(splat_mean, void(const SplatArgs<Blob>&))
LOAM_DISPATCH(splat_movement, void(const SplatArgs<Blob>&))
LOAM_DISPATCH(splat_vector, void(const SplatArgs<VectorBlob>&))
LOAM_DISPATCH(splat_ellipsoid, void(const SplatArgs<Ellipsoid>&))

} // namespace loam
