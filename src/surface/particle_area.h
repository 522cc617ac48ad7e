// The area of what particles fill, from the particles alone: a reference for surfaces that were made of them.
//
// Near a surface a neighborhood misses what is beyond it. What particles miss, summed over a layer, is the same for
// each piece of a flat surface:  A = sum_i s_i^2 (c - c_i) / l,  with s_i the spacing of particle i, c_i = sum_j w_ij,
// c its value in a lattice, and l what a column of a lattice misses below a flat surface. With w = 1 - (r / 2
// spacings)^3, as in passes.h, a lattice misses the same to 2 % whichever way it is cut (weights that fall off faster
// see its steps: a cubic spline a third more along a diagonal). Curvature enters with its square, so drops of a few
// particles are told roughly, and so are places where particles of several sizes meet.
#pragma once

#include "surface/cloud.h"

namespace loam {

double particle_area(const Cloud& cloud); // [m^2]; in 2D that of a slab one spacing thick, both faces included

} // namespace loam
