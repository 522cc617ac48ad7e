// The sums of sand; the law is in sand.law.h. A matrix of three rows is three records.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kept_gradients.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

// Neighbors, and how much they count.
struct SandPairs {
    PairView particles, walls;
    KeptGradients kept; // of particles, from the shape on
    Kernel kernel;
    WallKernel wall_kernel;
    SolidKernel solid_kernel;
    const Float4* wall_normal;
    const float* solid; // see pair_share(); null when there are none
    bool flat;          // 2D
};

// What does not change while stresses are looked for: B^-T, its product with sum_j V_j grad W_ij, how stiff a particle
// is against its own stress, and how walls touch it.
struct SandShapeArgs {
    SandPairs pairs;
    const float *sand, *grips; // 1 for sand; for sand and solids, 0 for others
    const float* specific_volume;
    const float* rub;            // friction of solids; below 0: that of the sand. Null when there are none
    const Float4* wall_velocity; // w: slip
    Float4 *inverse_x, *inverse_y, *inverse_z; // B^-T; w: its product with the gradient. All 0 for loose particles
    float* stiffness;                          // dD / ds per time
    // The volume whose stress it bears: V, and more beside walls and solids. Their kernels are steeper than that of
    // sand, as they push with the particle's own stress alone (see kernel.h), and B takes that back. With more volume
    // for as much, a wall drags by the stress beside it.
    float* bearing;
    Float4 *into_wall, *wall_motion; // sum V grad W; the wall's mean velocity
    Float4* touch; // of walls and solids: sum V W; that of rough ones; sum V W friction of others; sum V W of walls
};
LOAM_DISPATCH(sand_shape, void(const SandShapeArgs&, Range))

// velocity <- base + dt push / m of stresses T = V s B^-T
struct SandPushArgs {
    SandPairs pairs;
    float dt;
    const float* grips;
    const float* specific_volume;
    const Float4 *own_x, *own_y, *own_z; // B^-T
    const Float4 *diagonal, *shear;      // s: xx yy zz, yz xz xy
    const Float4 *stress_x, *stress_y, *stress_z;
    Float4* push; // change of velocity
};
LOAM_DISPATCH(sand_push, void(const SandPushArgs&, Range))

struct SandStrainArgs {
    SandPairs pairs;
    const Float4* velocity; // w: V where it counts
    const Float4* wall_velocity;
    const Float4 *inverse_x, *inverse_y, *inverse_z;
    Float4 *diagonal, *shear; // D
};
LOAM_DISPATCH(sand_strain, void(const SandStrainArgs&, Range))

// The mean of stress (and what is in w) over sand around, each by its volume.
struct SandMeanArgs {
    SandPairs pairs;
    const float* sand;
    float own_value; // W(0)
    const Float4 *diagonal, *shear;
    Float4 *mean_diagonal, *mean_shear;
};
LOAM_DISPATCH(sand_mean, void(const SandMeanArgs&, Range))

} // namespace loam
