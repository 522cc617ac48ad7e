// The loop of wall friction; the law is in friction.law.h.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct WallFrictionArgs {
    PairView walls;
    Kernel kernel;
    WallKernel wall_kernel;
    const Float4* wall_normal;
    const Float4* wall_velocity; // w: slip, see Walls
    const std::uint32_t* body;
    const std::uint8_t* sticks_by_itself; // by body: to walls with a volume, so this law need not hold it there
    float cell; // volume that wall particles without one stand for: those of other methods than sph
    const float* volume;
    const float* mass;
    const float* pressure;
    float full_contact;
    float dt;
    Float4* velocity;
};
LOAM_DISPATCH(wall_friction, void(const WallFrictionArgs&, Range))

} // namespace loam
