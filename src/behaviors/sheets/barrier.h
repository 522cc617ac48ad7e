// Sheets hold fluids back, however thin they are: no particle of a fluid passes through a triangle of a sheet.
//
// Pressure alone does not do that where a layer is stretched or hit hard (Lenaerts 2009, section 4.4.1, corrects places
// and velocities near shell particles, 4.13-4.14). With triangles at hand the crossing itself is found: both move on
// straight lines during a step; where the particle would be on the other side at the end, an impulse along the
// triangle's normal, taken up by its three corners by their share of the point that is hit, stops it short of it.
// What several rounds of that leave, in a corner of folds, moves on with the triangle. Particles are stopped some way
// off, where kernels still push: one that lies in a point of the layer is freed by nothing. And where contacts have
// moved the layer on through a particle once the motion is done, the particle is put back to its side.
#pragma once

#include "base/vec.h"

namespace loam {

// A point that is hit: its share of each corner, and the normal on the particle's side.
struct Crossing {
    double time = 2; // as a share of the step; above 1: none
    double shares[3]{};
    Vec3d normal;
};
// Particle from p by d, corners from a by b; the particle counts as inside of the triangle up to a little beyond its
// rim, so that there is no gap between triangles. One that comes nearer than `off` without crossing counts too, at the
// end of the step: what is too near could be on either side by rounding.
Crossing find_crossing(const Vec3d& p, const Vec3d& d, const Vec3d a[3], const Vec3d b[3], double off = 0);

} // namespace loam
