// How particles take up accelerations and move.
#pragma once

#include "passes/context.h"

namespace loam {

// velocity += seconds * acceleration
void kick(Pool& pool, double seconds);

struct Moved {
    std::size_t lost = SIZE_MAX; // a particle that is nowhere
    double farthest2 = 0;        // way of the fastest one, squared
};
// position += seconds * velocity
Moved move_particles(StepContext& step, double seconds);

// Particle shifting (Lind et al. 2012, eq. 23): particles drift from where they are crowded to where they are sparse,
// so that smooth flows, which draw them out into threads, stay evenly sampled.
//
//   dx_i = -A h v dt G_i,   |dx_i| <= 0.1 spacing       A strength [-], h half the support, v the fastest speed,
//                                                       G = sum_j V_j grad W_ij, 0 where neighbors are even
//
// Near a free surface G points out of the fluid, so particles there are left alone; solids have an order of their own.
void shift(StepContext& step, double strength, double seconds);

} // namespace loam
