// Diffusion of carried densities, against the noise that nothing else sees (Molteni & Colagrossi 2009; Antuono et al.
// 2010): what neighbors' pressures differ by beyond what the fluid's acceleration accounts for.
//
//   d delta_i / dt = xi h / c sum_j 2 b_i b_j V_j |grad W_ij| / r_ij beyond_ij
//   beyond_ij      = (p_j - p_i) 2 / (rho_i + rho_j) + (a_i + a_j) / 2 . x_ji
//
//   a    -grad p / rho, exact for linear p: hydrostatic pressure, also of layers of different density, is not diffused
//   b    0 where neighbors are missing, and with them the exact gradient; else 1
//   xi   0.1 (Antuono et al. 2012), h half the support, c the speed of sound
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

inline constexpr double diffusion_strength = 0.1; // xi

struct DiffusionArgs {
    PairView particles;
    Kernel kernel;
    const Float4* record;       // p, rho, V; 0 for solids
    const Float4* acceleration; // a, w: b
    float* rate;                // the sum
};
LOAM_DISPATCH(density_diffusion, void(const DiffusionArgs&, Range))

} // namespace loam
