// The sums of the surface tension models; tension.law.h says what the symbols mean.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

// What a body's particles need, by body.
struct TensionOfBody {
    float surface = 0;   // C sigma [N/m], 0 for bodies that leave it to another model
    float interface = 0; // C gamma / 2 [N/m]
    float wall = 0;      // -C sigma cos(theta) [N/m]
};

struct AreaSlopeArgs {
    PairView particles, walls;
    Kernel kernel;
    float blur; // eps [1/m]
    const std::uint32_t* body;
    const TensionOfBody* tension; // by body
    bool interfaces;              // some body has tension towards others
    const float* label;           // the body as a number, for comparing lanes; only with interfaces
    Float4* surface_slope;        // P of G
    Float4* interface_slope;      // P of U; only with interfaces
    Float4* wall_slope;           // P of B
};
LOAM_DISPATCH(area_slopes, void(const AreaSlopeArgs&, Range))

struct AreaForceArgs {
    PairView particles, walls;
    Kernel kernel;
    bool interfaces;
    const float* label;
    const float* mass;
    const Float4* surface_slope;
    const Float4* interface_slope;
    const Float4* wall_slope;
    Float4* acceleration; // added to
};
LOAM_DISPATCH(area_forces, void(const AreaForceArgs&, Range))

// Morris, in four sums: raw normals, normals smoothed and made unit, curvature, smoothed curvature and force.
struct NormalArgs {
    PairView particles, walls;
    Kernel kernel;
    float least; // shorter ones are noise and become 0
    const std::uint32_t* body;
    const TensionOfBody* tension;
    Float4* normal; // out of the fluid; w: its length |G|
};
LOAM_DISPATCH(color_normals, void(const NormalArgs&, Range))

struct SmoothNormalArgs {
    PairView particles;
    Kernel kernel;
    float own_value; // W(0)
    const Float4* normal;
    Float4* unit; // w: |G| of the raw normal
};
LOAM_DISPATCH(smooth_normals, void(const SmoothNormalArgs&, Range))

struct CurvatureArgs {
    PairView particles;
    Kernel kernel;
    float sharpest; // larger curvatures cannot be told from noise [1/m]
    const Float4* unit;
    Float4* curvature; // x: |G| kappa, w: |G|
};
LOAM_DISPATCH(curvatures, void(const CurvatureArgs&, Range))

struct CurvatureForceArgs {
    PairView particles;
    Kernel kernel;
    float own_value;
    const std::uint32_t* body;
    const TensionOfBody* tension;
    const float* mass;
    const Float4* unit;
    const Float4* curvature;
    Float4* acceleration; // added to
};
LOAM_DISPATCH(curvature_forces, void(const CurvatureForceArgs&, Range))

// Becker & Teschner: cohesion with particles of the same body.
struct CohesionArgs {
    PairView particles;
    Kernel kernel;
    const std::uint32_t* body;
    const float* stiffness; // K by body [N/m^(2d-1)...]: force on i is -K V_i V_j x_ij W_ij
    const float* label;
    const float* mass;
    Float4* acceleration;
};
LOAM_DISPATCH(cohesion_forces, void(const CohesionArgs&, Range))

} // namespace loam
