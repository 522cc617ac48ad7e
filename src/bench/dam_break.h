// The scene that is measured: a dam break in a box sampled with particles, cubic spline, support four radii.
//
//        +-----------------------------+ 1.5 m      water: about a cube of 1 m, a third of the tank
//        |                             |
//        |#########                    |      wcsph  sound ten times as fast as a fall from the top
//        |#########  -> sqrt(g H)      |      dfsph  volume error 0.01 %, divergence error 0.1 %
//        +-----------------------------+
//
// From rest a dam needs hundreds of steps until it flows, and until then steps are not like those of a run: lists with
// a skin last for ever, and implicit solvers build up pressure from nothing. So the water begins with the speed of a
// dam that has fallen for a while, and a few steps are enough at any size. fall_seconds > 0 lets it fall from rest
// instead.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "scene/scene.h"

namespace loam {

// Edges of the block of water, in particles: near a cube, and their product nearest to the wanted number.
std::array<std::size_t, 3> block_of(std::size_t particles);

Result<Scene> dam_break_scene(std::size_t particles, const std::string& solver, bool from_rest);

} // namespace loam
