// Sums over the neighbors of particles that surface methods need. d = x_j - x_i.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "base/vec.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

// How crowded a particle is, and to which side.
struct CrowdArgs {
    PairView particles;  // w of places: V, the volume as a multiple of a full particle's
    const float* widths; // of their neighborhoods, as multiples of the kernel's support, at least 1; null: all 1
    Kernel kernel;
    float full_volume;
    float own_value; // W(0)
    float* density;  // V_i W(0) + sum_j V_j W_ij; about 1 inside, less at the surface
    // x_i - c_i, where c_i is the mean place of its neighbors and itself, by volume (B 5.6-5.7); w: V_i. Wide
    // neighborhoods are scaled to a width of 1.
    Float4* lean;
};
LOAM_DISPATCH(crowding, void(const CrowdArgs&, Range))

// Weighted moments of the neighborhoods of some particles (Yu & Turk 2010 eq. 9-11) with w = V_j / V_i (1 - (|d| /
// reach)^3); the particle itself counts with w = 1. The reach is that of a particle of size 1 times the particle's own
// size. As neighbors count by volume, one that shrinks to nothing is no longer felt when it goes.
struct MomentArgs {
    PairView particles;        // w of places: size
    const std::uint32_t* some; // the range counts into these
    float inverse_reach;
    bool flat;      // 2D: volumes are squares of sizes
    float* moments; // 10 for each of them: sum w, w d (3), w d d^T (xx yy zz xy xz yz)
};
LOAM_DISPATCH(moments, void(const MomentArgs&, Range))

// Means of a vector over the same neighborhoods, sum_j w s_j v_j / sum_j w s_j. mean_vectors: s_j = 1; mean_alike: v_i
// . v_j where that is positive, so only vectors that point the same way count.
struct MeanArgs {
    PairView particles;
    const std::uint32_t* some;
    float inverse_reach;
    bool flat;
    const Float4* vectors;
    Float4* means; // for each of some
};
LOAM_DISPATCH(mean_vectors, void(const MeanArgs&, Range))
LOAM_DISPATCH(mean_alike, void(const MeanArgs&, Range))

} // namespace loam
