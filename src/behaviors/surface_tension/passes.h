// The sums of the surface tension models; tension.law.h says what the symbols mean.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

// Morris. A run of these passes is for the surface towards air, or, with labels, for that towards unlike fluids:
// normals then come from particles of other bodies, and averages are taken over particles of the same body.
struct SurfaceArgs {
    PairView particles, walls;
    Kernel kernel;
    float own_value;            // W(0)
    float least;                // shorter normals are noise and become 0 [1/m]
    float sharpest;             // larger curvatures cannot be told from noise [1/m]
    float across, across_scale; // support and scale of the kernel along the surface, of one dimension less
    float depth;                // of the outermost particles below the surface [m]
    float least_crowd;          // a surface with less is too thin to tell [1]
    const std::uint32_t* body;
    const float* strength; // sigma by body
    const float* own;      // sigma of particles; null where it is that of the body
    const float* density;  // as a multiple of the rest density
    const float* label;    // the body as a number, for comparing lanes; null for the surface towards air
    const float* mass;
};

// normal: |G| n, w: |G|; both 0 away from the surface.
struct NormalArgs {
    SurfaceArgs surface;
    const std::uint8_t* by_centroid; // by body: n is the way from the middle of its neighbors
    Float4* normal;
};
LOAM_DISPATCH(color_normals, void(const NormalArgs&, Range))

struct AverageArgs {
    SurfaceArgs surface;
    const Float4* from;
    Float4* to;
};
LOAM_DISPATCH(average_normals, void(const AverageArgs&, Range))
// from: normals, to: x = |G| kappa, y = |G| crowd, w = |G|
LOAM_DISPATCH(find_curvatures, void(const AverageArgs&, Range))
LOAM_DISPATCH(average_curvatures, void(const AverageArgs&, Range))

struct SurfaceForceArgs {
    SurfaceArgs surface;
    const Float4* normal;
    const Float4 *curvature, *curvature_again; // averaged once, and twice
    Float4* acceleration;                      // added to
};
// Returns the sum of the forces.
LOAM_DISPATCH(surface_forces, Vec3d(const SurfaceForceArgs&, Range))

struct RippleArgs {
    PairView particles;
    Kernel kernel;
    const std::uint32_t* body;
    const float* viscosity; // 2 (d + 2) nu rho by body [Pa s]
    const float* cohesion;  // K of particles that stand out alone, by body
    const float* density;
    float inverse_spacing;
    const float* label; // null when all bodies are alike
    const float* mass;
    const Float4* velocity;
    Float4* acceleration; // added to
};
LOAM_DISPATCH(ripple_damping, void(const RippleArgs&, Range))

// Becker & Teschner: cohesion with particles of the same body.
struct CohesionArgs {
    PairView particles;
    Kernel kernel;
    const std::uint32_t* body;
    const float* stiffness; // K by body
    const float* label;
    const float* mass;
    float inverse_spacing;
    Float4* acceleration; // added to
};
LOAM_DISPATCH(cohesion_forces, void(const CohesionArgs&, Range))

} // namespace loam
