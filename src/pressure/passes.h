// The sums that pressure solvers are made of. Volumes V are those at rest, s = V / m is the specific volume, and walls
// b push back with the pressure of the fluid particle itself (Akinci 2012).
//
//   density      delta_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib      a multiple of the rest density
//   gradient     G_i = sum_j V_j grad W_ij + sum_b V_b grad W_ib
//   diagonal     D_i = s_i |G_i|^2 + V_i sum_j s_j V_j |grad W_ij|^2       see relax()
//   push         a_i = -s_i (p_i G_i + sum_j V_j p_j grad W_ij)            equal and opposite: m_i a_i = -V_i V_j (p_i
//   + p_j) grad W divergence   d delta_i / dt = u_i . G_i - sum_j V_j u_j . grad W_ij - sum_b V_b u_b . grad W_ib
//
// G_i does not change while a solver iterates, so an iteration visits only pairs of particles, not walls.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct DensityArgs {
    PairView particles, walls;
    Kernel kernel;
    float own_value;              // W(0)
    const float* specific_volume; // null when all are alike: `common_specific_volume` then
    float common_specific_volume;
    float* density;
    Float4* gradient; // w: the diagonal
};
LOAM_DISPATCH(density_and_gradient, void(const DensityArgs&, Range))
LOAM_DISPATCH(density_alone, void(const DensityArgs&, Range)) // leaves the gradient

struct PushArgs {
    PairView particles;
    Kernel kernel;
    const float* specific_volume;
    float common_specific_volume;
    const Float4* gradient;
    const float* pressure;
    const Float4* pressure_place; // position, w: V p
    Float4* push;                 // set, or added to
    bool add;
};
LOAM_DISPATCH(pressure_push, void(const PushArgs&, Range))

struct DivergenceArgs {
    PairView particles, walls;
    Kernel kernel;
    const Float4* gradient;
    const Float4* field;      // u
    const Float4* wall_field; // u_b; null when walls rest
    float* divergence;
};
LOAM_DISPATCH(field_divergence, void(const DivergenceArgs&, Range))

// One relaxed Jacobi step for  source_i + (divergence of push)_i = 0,  p >= 0:
//   p_i <- max(0, p_i + omega r_i / D_i),  r_i the left side, where push came from p
struct RelaxArgs {
    PairView particles;
    Kernel kernel;
    const Float4* gradient;
    const Float4* push;
    const float* source;
    float omega;
    float least_diagonal; // particles below it are alone and take no pressure
    float* pressure;
    Float4* pressure_place;
};
struct RelaxError {
    double sum = 0;    // of |r_i| where it is compression, or where p_i > 0 caused it
    float largest = 0; // compression
};
LOAM_DISPATCH(relax, RelaxError(const RelaxArgs&, Range))

} // namespace loam
