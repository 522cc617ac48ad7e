// Walls of a scene: covered with particles at the start, moved in every step; and particles pushed back out of them.
#pragma once

#include "passes/context.h"
#include "scene/scene.h"

namespace loam {

// Puts walls down as the scene says. Each particle of a wall takes the volume that its local sampling gives it (Akinci
// 2012), scaled so that a flat wall continues the lattice of a fluid at rest: a coarse or doubled sampling changes
// nothing.
Status make_walls(const Scene& scene, const SceneFacts& facts, Neighborhood& neighborhood, Walls& walls);

// To where they are at this time.
void move_walls(Walls& walls, double time, const SceneFacts& facts, Neighborhood& neighborhood);
// Walls that move are sorted from the order of the step before, so their order has a history. A resumed run does not
// have it: both begin each frame from the order in which the walls were made.
void walls_in_first_order(Walls& walls, Neighborhood& neighborhood);

// Pressure keeps particles off the walls; this catches those that came too fast, so that none ever ends up behind one.
// Walls are taken to be where they will be at the end of the step. `farthest`: that a particle has moved [m]. Returns
// how many were caught.
std::size_t keep_out_of_walls(StepContext& step, double farthest);

// How far the worst particle is inside of a wall [m]; 0 when none is.
double deepest_in_walls(const StepContext& step);

} // namespace loam
