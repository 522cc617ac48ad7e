// Gradients that are exact for linear fields whatever the order of the neighbors (Bonet & Lok 1999), and the push of a
// smooth pressure with them. Plain sums (passes.h) are not: they see compression in a mere shear of uneven particles,
// and pressure then resists it as a solid would.
//
//   M_i = -sum_j V_j grad W_ij (x) x_ij        1 among evenly spread neighbors
//   L_i = 1 + b_i N_i,  N_i = M_i^-1 - 1       b_i falls from 1 to 0 where neighbors are missing
//   G'_i = L_i sum_j V_j grad W_ij + sum_b V_b grad W_ib
//
//   divergence  u_i . G'_i - L_i : sum_j V_j grad W_ij (x) u_j - sum_b V_b u_b . grad W_ib
//   push        -s_i (p_i G'_i + sum_j V_j p_j L_j grad W_ij)           its adjoint: equal and opposite
//   reference   -L_i sum_j V_j 2 / (rho_i + rho_j) (c_j - c_i) grad W_ij
//
// Where c is constant the last one vanishes, in any order of the neighbors; the push does not. But it is not equal and
// opposite: momentum is kept as well as gradients are resolved.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/context.h"
#include "pressure/passes.h"

namespace loam {

inline constexpr float free_density = 0.9f;  // a particle at a free surface has less,
inline constexpr float free_gradient = 0.7f; // or |G| of more, in units of 1 / support

struct CorrectionArgs {
    PairView particles;
    KeptGradients pairs;
    Kernel kernel;
    const float* solid; // 1 for solids, which have no part in this; null when there are none
    float own_value;    // W(0)
    const float* density;
    const float* away_from_solids; // 0 to 1, takes part in b; null when there are no solids
    const Float4* gradient;        // w: the diagonal
    const float* specific_volume;
    float common_specific_volume;
    Float4* straight;  // N xx, yy, zz; w: b of divergence and push
    Float4* across;    // N xy, xz, yz; w: b of the reference
    Float4* corrected; // G', w: the diagonal
    float* free;       // 1 at free surfaces, 2 in drops, jets and films, else 0; null: not asked for
};
LOAM_DISPATCH(find_correction, void(const CorrectionArgs&, Range))

struct CorrectedPushArgs {
    KeptGradients pairs;
    const float* specific_volume;
    float common_specific_volume;
    const Float4* gradient; // G'
    const float* pressure;
    const Float4 *straight, *across; // of V p L
    const float* volume;
    Float4* push; // w: V
};
LOAM_DISPATCH(corrected_push, void(const CorrectedPushArgs&, Range))

struct CorrectedDivergenceArgs {
    KeptGradients pairs;
    PairView walls;
    Kernel kernel;
    WallKernel wall_kernel;
    const Float4* wall_normal;
    const Float4 *straight, *across; // of N
    const Float4* gradient;
    const Float4* field;      // u, w: V
    const Float4* wall_field; // null when walls rest
    float* divergence;
};
LOAM_DISPATCH(corrected_divergence, void(const CorrectedDivergenceArgs&, Range))

// As residual_of_push(), with `straight` and `across` of N.
struct CorrectedResidualArgs {
    ResidualArgs of;
    const Float4 *straight, *across;
};
LOAM_DISPATCH(corrected_residual, ResidualSums(const CorrectedResidualArgs&, Range))

struct ReferenceArgs {
    KeptGradients pairs;
    const Float4 *straight, *across; // of N
    const Float4* record;            // c, rho, V; 0 for solids
    Float4* acceleration;            // set; w: b
};
LOAM_DISPATCH(reference_push, void(const ReferenceArgs&, Range))

// How the velocity field changes along ways that particles are moved by, apart from their own motion: (way . grad) v
struct AlongArgs {
    KeptGradients pairs;
    const Float4 *straight, *across; // of N
    const Float4* way;               // w: V
    const Float4* velocity;
    Float4* change;
};
LOAM_DISPATCH(change_along, void(const AlongArgs&, Range))

// The least value among a fluid particle and its neighbors, of which solids have 0, and the mean without solids.
struct AroundArgs {
    PairView particles;
    Kernel kernel;
    const float* solid;
    float own_value; // W(0)
    const float* values;
    float* to;
};
LOAM_DISPATCH(least_around, void(const AroundArgs&, Range))
LOAM_DISPATCH(mean_around, void(const AroundArgs&, Range))

} // namespace loam
