// Sums over the fluid particles around a place that white water needs. d = x_i - x_j; w = 1 - |d| / reach.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "base/vec.h"
#include "passes/pair_view.h"

namespace loam {

// How the fluid moves around drops and bubbles, and how much of it is there.
struct FlowArgs {
    PairView drops;
    const Float4* velocity; // of the fluid; one more for padding
    float reach;
    Float4* flow; // mean velocity, by w; 0 where there is no fluid. w: how many fluid particles are within reach
};
LOAM_DISPATCH(flow_around, void(const FlowArgs&, Range))

// What tells of trapped air, and of the surface.
struct MotionArgs {
    PairView fluid;
    const Float4* velocity;
    float reach;
    float* clash; // sum_j (|v_ij| - v_ij . d / |d|) w: of neighbors that come nearer, twice their speed (eq. 2)
    Float4* lean; // sum_j w d / |d|: away from the neighbors. w: sum_j w
};
LOAM_DISPATCH(motion_around, void(const MotionArgs&, Range))

// How much the surface bends outwards (eq. 4).
struct CrestArgs {
    PairView fluid;
    const Float4* normal;      // of unit length, outwards; w: 1 at the surface, else 0; one more for padding
    const std::uint32_t* some; // the range counts into these
    float reach;
    float* crest; // sum of (1 - n_i . n_j) w over neighbors at the surface and below the tangent plane
};
LOAM_DISPATCH(crest_around, void(const CrestArgs&, Range))

} // namespace loam
