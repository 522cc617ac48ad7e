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

struct FillPoint {
    Vec3d position;
    double share = 1; // of the volume spacing^dimensions that it stands for
    friend bool operator==(const FillPoint&, const FillPoint&) = default;
};

// Points that fill the shape on a lattice of about the given spacing, which lies as the shape does where that is
// turned. Each is in the middle of the part of the shape that it stands for: half a spacing away from the surface where
// that is flat and aligned. Together they have the volume and the center of the shape. In 2D the points lie in z = 0.
// Fails on an unbounded shape, or when nothing or too much comes out.
Result<std::vector<FillPoint>> fill(const Shape& shape, double spacing, int dimensions,
                                    const FillOptions& options = {});

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
