// The loops of viscosity; the law is in viscosity.law.h. `motion` is the velocity with the particle's own coefficient
// mu_i in w, so that a pair needs one more record and no more.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "behaviors/viscosity/model.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct WallMotion {
    const Float4* velocity; // w: slip, see Walls
    const Float4* normal;   // w: depth below the surface
    float least_height;     // of a particle above a wall, for the mirror
};

struct NormalizeArgs {
    ViscosityModel model;
    PairView particles, walls;
    Kernel kernel;
    const Float4 *velocity, *wall_velocity; // of a wall w: slip
    Float4* motion;
};
// motion.w <- mu_i / n_i, n_i a moment of k over i's neighbors and walls: 1 for a continuum, and within
// [least_moment, most_moment] so that a spray of a few particles stays as it is.
//   difference   n_i = sum_j V_j k r^2 / (2 d)
//   line         n_i = sum_j V_j k r^2 (e . D e)^2 / (4 D:D + 2 (tr D)^2),   D the rate of strain at i
// Forces along lines of centers see fourth moments, which differ with the direction of shear: D tells it.
inline constexpr float least_moment = 0.7f, most_moment = 1.3f;
LOAM_DISPATCH(normalized_viscosity, void(const NormalizeArgs&, Range))

// What forces are made of, once motion.w is normalized.
struct ViscosityArgs {
    PairView particles, walls;
    Kernel kernel;
    WallMotion wall;
    const float* volume;
    const float* mass;
    const Float4* motion;
};

// acceleration += sum_j F_ij / m_i
struct ViscousForceArgs {
    ViscosityArgs law;
    ViscosityModel model;
    Float4* acceleration;
};
LOAM_DISPATCH(viscous_acceleration, void(const ViscousForceArgs&, Range))

// The implicit system  A dv = b  for the change of velocity dv over a time step dt:
//   (A u)_i = m_i u_i + dt sum_j V_i V_j mu_ij k e (e . (u_i - u_j)) + dt sum_b V_i V_b mu_i k mirror e (e . u_i)
//   b_i     = dt sum_j F_ij(v) + dt sum_b F_ib(v)
// A is symmetric and positive definite. A symmetric 3x3 block is two records: xx xy xz yy | yz zz.
struct ViscousBlockArgs {
    ViscosityArgs law;
    float dt;
    Float4 *own_first, *own_second;         // mass and walls: the part of A_ii that is not a sum over neighbors
    Float4 *inverse_first, *inverse_second; // of the whole block A_ii
    Float4* right;                          // b
};
LOAM_DISPATCH(implicit_blocks, void(const ViscousBlockArgs&, Range))

// product <- A direction; returns direction . product.
struct ViscousProductArgs {
    PairView particles;
    Kernel kernel;
    float dt;
    const float* volume;
    const Float4 *own_first, *own_second;
    const Float4* direction; // w: mu_i
    Float4* product;
};
LOAM_DISPATCH(implicit_product, double(const ViscousProductArgs&, Range))

} // namespace loam
