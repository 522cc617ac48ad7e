// From shapes to particles.
#pragma once

#include <cstdint>
#include <vector>

#include "particles/shape.h"

namespace loam {

struct FillOptions {
    double jitter = 0; // random displacement as a fraction of the spacing
    std::uint64_t seed = 0;
    std::string lattice = "cubic"; // or "hexagonal" (denser packing directions, no preferred axis)
};

// Points that fill the shape on a lattice of the given spacing, half a spacing away from its surface where the surface
// is flat and aligned. In 2D the points lie in z = 0. Fails on an unbounded shape, or when nothing or too much comes
// out.
Result<std::vector<Vec3d>> fill(const Shape& shape, double spacing, int dimensions, const FillOptions& options = {});

// The volume of a bounded shape (its area in 2D), measured with a quarter of the spacing. A lattice of particles may
// have more or less: for a ball of six across a fifth more.
double volume_of(const Shape& shape, double spacing, int dimensions);

struct SurfacePoint {
    Vec3d position;
    Vec3d normal; // out of the solid
    int layer = 0;
    bool on_edge = false; // the layer ends here: one spacing further along it is outside of the solid
};

// Points that cover the surface of a solid, `depth` below it (into the solid), about one spacing apart: regular on flat
// faces that are aligned with the axes, evenly spread elsewhere. More layers follow below, one spacing apart.
Result<std::vector<SurfacePoint>> cover(const Shape& solid, double spacing, double depth, int layers, int dimensions);

} // namespace loam
