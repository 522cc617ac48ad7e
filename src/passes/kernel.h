// Smoothing kernels. All have the support radius `support`; distances enter as q = r / support, W = 0 for q >= 1.
//
//   W(r)      = value_scale w(q)             value_scale = sigma_d / support^d
//   grad W    = slope_scale s(q) x_ij        slope_scale = sigma_d / support^(d+2),  s(q) = w'(q) / q
//   lap W     = slope_scale (w''(q) + (d-1) s(q))
//
// The shapes w, s are in kernel.law.h. This header is plain C, shared with device code.
#pragma once

#ifdef __cplusplus
#include <string>
#include <string_view>
#include <vector>
namespace loam {
#endif

enum KernelKind { KERNEL_CUBIC, KERNEL_WENDLAND, KERNEL_POLY6, KERNEL_SPIKY, KERNEL_VISCOSITY };

struct Kernel {
    int kind;
    int dimensions;
    float support;
    float inverse_support;
    float value_scale;
    float slope_scale;
};

// Walls push with the particle's own pressure, once, where fluid in their place would push with as much again. So that
// a particle at rest beside a wall is pushed by it as by more fluid, the kernel of walls is steeper:
//   W_wall(x_ib) = f(z) W(x_ib),   f(z) = t^3 (full + extra t),   t = (support - z) / (support - spacing)
// with the height z = |n_b . x_ib| above or below the layer of wall particle b. One spacing above a flat layer, value
// and slope are those of the half lattice behind the wall, and twice those. As f depends on the height only, walls are
// as smooth to slide along as with W. And since the push stays a derivative of the density, no energy comes in, as it
// would with the pressure simply doubled.
struct WallKernel {
    float full, extra;
    float support, inverse_span; // 1 / (support - spacing)
};

// Solids in the pool, too, push with the fluid's pressure alone. Their kernel is steeper for the same reason and in the
// same way, but with the distance r in place of the height, as their surface may be anything:
//   W_solid(x_ij) = f(r) W(x_ij) between a fluid and a solid particle,   f(r) = f(nearest) for r < nearest
// nearest, a little less than the spacing, is where fluid seldom gets: kept gradients (passes/kept_gradients.h) stay
// within bounds, and with them the same as fresh ones.
struct SolidKernel {
    float full, extra;
    float support, inverse_span; // 1 / (support - spacing)
    float nearest;
};

#ifdef __cplusplus
Kernel make_kernel(KernelKind kind, double support, int dimensions);
const std::vector<std::string>& kernel_names(); // in the order of KernelKind; "desbrun" is spiky (D 21 with support 2h)
bool kernel_by_name(std::string_view name, KernelKind& kind);

// One pair at a time, for set-up and tests.
double kernel_value(const Kernel& kernel, double r);
double kernel_slope(const Kernel& kernel, double r); // (dW/dr) / r
double kernel_laplacian(const Kernel& kernel, double r);

// The volume per particle with which a cubic lattice of this spacing has exactly its rest density. It differs a little
// from spacing^d, by the kernel's error of quadrature; with it a fluid laid out on a lattice is at rest from the start.
double lattice_volume(const Kernel& kernel, double spacing);

// For the walls that a kernel's particles meet: see fit_to_walls().
WallKernel fit_to_walls(const Kernel& kernel, double spacing);
// For solids that fill a lattice of the same spacing.
SolidKernel fit_to_solids(const Kernel& kernel, double spacing);
} // namespace loam
#endif
