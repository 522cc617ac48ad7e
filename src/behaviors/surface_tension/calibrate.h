// Constants that give the models their unit: sigma in N/m is what a flat surface of particles at rest then has.
#pragma once

#include "passes/kernel.h"

namespace loam {

// C: 1 / (sum over the layers of a flat surface of spacing |G|).
double area_scale(const Kernel& kernel, double spacing);

// K such that the cohesion -K V_i V_j x_ij W_ij has surface tension 1 N/m. The work of cutting a uniform material in
// two (Fowler 1937) is sigma = K pi/8 int r^5 W dr in 3D and K/3 int r^4 W dr in 2D.
double cohesion_scale(const Kernel& kernel);

// Mean square distance of W along one axis [m^2], on a lattice: how far one round of averaging reaches.
double kernel_variance(const Kernel& kernel, double spacing);

} // namespace loam
