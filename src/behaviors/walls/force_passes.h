#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/pair_view.h"

namespace loam {

struct WallForceArgs {
    PairView walls;
    float rest;                // distance of a particle at rest from the wall's particles
    float reach;               // of adhesion: twice that
    float adhesion_scale;      // 1 / reach^(d+1)
    const Float4* law;         // of wall particles: strength, stiffness, damping; w: adhesion times volume
    const float* friction;     // of wall particles
    const Float4* wall_normal; // |w|: depth below the surface
    const Float4* wall_velocity;
    const Float4* velocity;
    Float4* acceleration; // added to
};
// What the particles near such walls allow the time step to be.
struct WallContact {
    float stiffness = 0; // the largest slope of force over distance [1/s^2]
    float speed = 0;     // the fastest particle in reach of a repelling wall, relative to it [m/s]
    bool near = false;   // whether there is one
};
LOAM_DISPATCH(wall_forces, WallContact(const WallForceArgs&, Range))

} // namespace loam
