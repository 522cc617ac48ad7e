// How particles take up accelerations and move.
#pragma once

#include "passes/context.h"
#include "step/laws.h"

namespace loam {

// velocity += seconds * acceleration
void kick(Pool& pool, double seconds);

// The same, ahead of a motion by the new velocities. What falls would come too far by it, g dt / 2 in a second: so
// gravity is taken up to the middle of the step only, where the velocity is the mean of the step's,
//
//   v += dt (a - g / 2) + lack,   then lack = dt g / 2        lack: what v has not taken up yet
//
// and parabolas are exact whatever the steps are. In steps of one length that is the same kick each time: what rests
// stays at rest.
void kick_ahead(Pool& pool, double seconds);
// After it: so is the acceleration by which a smooth pressure bears weight (pressure/weight_pressure.h), if there is
// one.
void hold_back(Pool& pool, double seconds, Column<Float4> push);

// Where a frame is due, velocities catch up: as far as particles fall, since what is held up lacks nothing. Takes note
// right after the kick, and looks after the step what else has acted.
void note_falling(Pool& pool, double seconds);
void catch_up(StepContext& step, const Laws& laws);

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
