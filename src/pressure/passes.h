// The sums that pressure solvers are made of. Volumes V are those at rest, s = V / m is the specific volume.
//
//   density      delta_i = V_i W(0) + sum_j V_j W_ij + sum_b V_b W_ib      a multiple of the rest density
//   gradient     G_i = sum_j V_j grad W_ij + sum_b V_b grad W_ib           W_ib is the kernel of walls, see kernel.h
//   push         a_i = -s_i (p_i G_i + sum_j V_j p_j grad W_ij)
//   divergence   d delta_i / dt = u_i . G_i - sum_j V_j u_j . grad W_ij - sum_b V_b u_b . grad W_ib
//   diagonal     D_i = s_i |G_i|^2 + V_i sum_j s_j V_j |grad W_ij|^2       how p_i alone changes delta_i
//
// Between particles the push is equal and opposite: m_i a_i = -V_i V_j (p_i + p_j) grad W_ij. Walls b push back with
// the particle's own pressure, once (Akinci 2012): then push and divergence are each other's adjoints, the system is
// symmetric and pressure does no net work.
// G_i does not change while a solver iterates, so an iteration visits only pairs of particles, not walls.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kept_gradients.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct DensityArgs {
    PairView particles, walls;
    Kernel kernel;
    WallKernel wall_kernel;
    const Float4* wall_normal;
    const float* solid; // see pair_share(); null when there are none
    SolidKernel solid_kernel;
    float own_value; // W(0)
    float* density;
};
LOAM_DISPATCH(density_alone, void(const DensityArgs&, Range))

struct GradientArgs {
    DensityArgs of;
    const float* specific_volume; // null when all are alike: `common_specific_volume` then
    float common_specific_volume;
    Float4* gradient;          // w: the diagonal
    const KeptGradients* keep; // null: keep none
};
LOAM_DISPATCH(density_and_gradient, void(const GradientArgs&, Range))

enum class Put { set, add };
struct PushArgs {
    PairView particles; // whose w is V p
    Kernel kernel;
    const float* solid;
    SolidKernel solid_kernel;
    const float* specific_volume;
    float common_specific_volume;
    const Float4* gradient;
    const float* pressure;
    Float4* push;
    Put put;
};
LOAM_DISPATCH(pressure_push, void(const PushArgs&, Range))

// The same from kept gradients.
struct KeptPushArgs {
    KeptGradients pairs;
    const float* specific_volume;
    float common_specific_volume;
    const Float4* gradient;
    const float* pressure;
    const float* weighted_pressure; // V p
    const float* volume;
    const float* rests; // above 0: nothing moves the particle. Null when none rests
    Float4* push;       // w: V
};
LOAM_DISPATCH(kept_push, void(const KeptPushArgs&, Range))

struct DivergenceArgs {
    KeptGradients pairs;
    PairView walls;
    Kernel kernel;
    WallKernel wall_kernel;
    const Float4* wall_normal;
    const Float4* gradient;
    const float* volume;
    const Float4* field;      // u
    const Float4* wall_field; // u_b; null when walls rest
    float* divergence;
};
LOAM_DISPATCH(field_divergence, void(const DivergenceArgs&, Range))

// The pressure that a gauge would show: a third of the trace of the stress that the pushes carry (the virial),
//   P_i = -delta_i / 2d (sum_j V_j (p_i + p_j) r_ij . grad W_ij + sum_b V_b p_i r_ib . grad W_ib)       d dimensions
// Along a wall, which only pushes across, the stress is that of as much fluid.
// p itself differs from particle to particle with the order of the neighbors, by some per cent.
struct FeltArgs {
    PairView particles, walls;
    Kernel kernel;
    WallKernel wall_kernel;
    const Float4* wall_normal;
    const float* solid;
    SolidKernel solid_kernel;
    const float *pressure, *density;
    float* felt;
};
LOAM_DISPATCH(felt_pressure, void(const FeltArgs&, Range))

// Particles whose diagonal is not above this are alone and take no pressure. A lone pair at the edge of the support has
// one that is tiny against that of a full neighborhood, which goes with the particle's own specific volume.
struct LeastDiagonal {
    const float* specific_volume; // null when all are alike
    float common_specific_volume;
    float per_specific_volume;

    [[gnu::always_inline]] float of(std::size_t i) const {
        return per_specific_volume * (specific_volume ? specific_volume[i] : common_specific_volume);
    }
};

// The residual r of an iteration, source + divergence of the push, and how it compares with the one before; see
// relaxation.cpp for the use of the sums.
struct ResidualArgs {
    KeptGradients pairs;
    const Float4* gradient;
    const Float4* push; // w: V
    const float* source;
    const float *pressure, *pressure_before;
    const float* residual_before;
    const float* rests;      // above 0: keeps its pressure. Null when none rests
    const float* compliance; // how much r falls by p itself; null when no particle is small
    float usual_diagonal;    // no particle's diagonal counts as less
    LeastDiagonal least_diagonal;
    float* residual;
};
struct ResidualSums {
    double error = 0; // of |r| where it is compression, or where p > 0 caused it
    double ss = 0, sy = 0, yy = 0;
    float largest = 0; // compression

    ResidualSums operator+(const ResidualSums& o) const {
        return {error + o.error, ss + o.ss, sy + o.sy, yy + o.yy, largest > o.largest ? largest : o.largest};
    }
};
LOAM_DISPATCH(residual_of_push, ResidualSums(const ResidualArgs&, Range))

// One particle's share in the sums: its residual r and pressure p, now and before.
[[gnu::always_inline]] inline void add_residual(ResidualSums& sums, float r, float r_before, float p, float p_before,
                                                float volume, float diagonal, float least_diagonal) {
    // Expansion that is due to pressure is an error too, or warm starts would pump energy in. No branch: none of the
    // signs can be foretold.
    const float compression = r > 0 ? r : 0;
    sums.error += compression + static_cast<float>(p > 0) * (compression - r);
    sums.largest = r > sums.largest ? r : sums.largest;
    if (!(diagonal > least_diagonal)) return;
    const float s = p - p_before, y = r_before - r;
    sums.ss += volume * diagonal * s * s;
    sums.sy += volume * s * y;
    sums.yy += volume / diagonal * y * y;
}

} // namespace loam
