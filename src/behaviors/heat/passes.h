// How far particles are exposed to air: where neighbors and walls are missing.
//
//   N_i = | sum_j V_j grad W_ij + 1/2 sum_b V_b grad W_ib |     [1/m]; walls push as twice the fluid in their place
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct ExposureArgs {
    PairView particles{}, walls{};
    Kernel kernel{};
    WallKernel wall_kernel{};
    const Float4* wall_normal = nullptr;
    float* exposure = nullptr;
};
LOAM_DISPATCH(find_exposure, void(const ExposureArgs&, Range))

} // namespace loam
