// Loops over springs. Springs are kept by particle (each spring twice, so that every particle sums its own), eight
// particles side by side: entry e of the eight is one row of eight others, rest lengths and constants.
//
//     group of slots 8g .. 8g+7:   rows first[g] .. first[g+1], each  other[8], rest[8], stiffness[8], damping[8]
#pragma once

#include <cstdint>

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "base/vec.h"

namespace loam {

inline constexpr std::size_t spring_lanes = 8;
inline constexpr std::size_t groups_at_once = block_size / spring_lanes;

struct SpringRows {
    const std::uint32_t* first; // by group: its first row
    const std::uint32_t* other; // slots; a lane without a spring has its own, and stiffness 0
    const float* rest;
    const float* stiffness;
    const float* damping; // share of critical times stiffness
};

struct SpringArgs {
    SpringRows rows;
    const Float4* place;    // w: weight; a spring has the lesser one of its ends
    const Float4* velocity; // w: 1 / mass
    Float4* result;         // acceleration; of spring_change: the force
};
LOAM_DISPATCH(spring_accelerations, void(const SpringArgs&, Range groups))

// The linearized forces that implicit methods need, by row and lane: the block of a pair is  across I + along n n^T.
struct SpringBlocks {
    float *nx, *ny, *nz, *across, *along;
};
struct SpringBlockArgs {
    SpringRows rows;
    SpringBlocks blocks;
    const Float4* place;
    const Float4* velocity;
    float h;
    float stiff;        // 1; 0: damping alone
    float damping_time; // [s]
    Float4* force;      // of springs, with what moving on with the present velocities adds to first order
    Float4* diagonal;   // of the blocks' sum; w: 0
};
LOAM_DISPATCH(spring_blocks, void(const SpringBlockArgs&, Range groups))

struct SpringProductArgs {
    SpringRows rows;
    SpringBlocks blocks;
    const Float4* of;
    const Float4* velocity; // w: 1 / mass
    Float4* product;        // (M + h C + h^2 K) of; 0 for particles that are held
};
LOAM_DISPATCH(spring_product, void(const SpringProductArgs&, Range groups))

} // namespace loam
