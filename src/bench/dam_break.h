// The scene that is measured: a dam break in a box sampled with particles, cubic spline, support four radii.
//
//        +-----------------------------+ 1.5 m      water: about a cube of 1 m, a third of the tank
//        |                             |
//        |#########                    |      wcsph  sound ten times as fast as a fall from the top
//        |#########  -> sqrt(g H)      |      dfsph  volume error 0.01 %, divergence error 0.1 %
//        +-----------------------------+
//
// From rest a dam needs hundreds of steps until it flows, and until then steps are not like those of a run: lists with
// a skin last for ever, and implicit solvers build up pressure from nothing, with ever more iterations the more
// particles there are. So the water begins with the speed and the pressure of a dam that flows, and a few steps are
// enough at any size. Or it falls from rest, which takes long.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "scene/scene.h"
#include "step/simulation.h"

namespace loam {

// Edges of the block of water, in particles: near a cube, and their product nearest to the wanted number.
std::array<std::size_t, 3> block_of(std::size_t particles);

Result<Scene> dam_break_scene(std::size_t particles, const std::string& solver, bool from_rest);

// The pressure [Pa] in a block of water that is held up by its floor alone and falls apart to both sides, at a point
// with (0, 0) in its lower left corner: the harmonic function that is 0 at the sides and the top and has the slope
// -rho g at the floor.
//   p = sum over odd n of  4 rho g L / (n pi)^2  sin(n pi x / L)  sinh(n pi (H - y) / L) / cosh(n pi H / L)
double first_pressure(double x, double y, double length, double height);

// Gives the water that pressure, where the solver starts from the one of the step before.
void set_first_pressure(Simulation& simulation);

} // namespace loam
