// The area of what particles fill, from the particles alone: a reference for surfaces that were made of them.
//
// Near a surface a kernel misses what is beyond it. What particles miss, summed over a layer, is the same for each
// piece of a flat surface:  A = sum_i V_i (1 - c_i) / l,  with c_i = sum_j V_j W_ij, about 1 inside, and l what a
// column of a lattice misses below a flat surface. Curvature enters with its square, so drops of a few particles are
// told roughly.
#pragma once

#include "surface/cloud.h"

namespace loam {

double particle_area(const Cloud& cloud); // [m^2]; in 2D that of a slab one spacing thick, both faces included

} // namespace loam
