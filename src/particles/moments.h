// What a shape weighs, where its middle is, and how it resists being turned, for a density of 1.
#pragma once

#include "base/mat3.h"
#include "particles/shape.h"

namespace loam {

struct Moments {
    double volume = 0; // area in 2D
    Vec3d center;
    Mat3 spread; // integral of r r^T over the volume, r from the center
};

// Of a bounded shape, measured with an eighth of the spacing, or finer where it is small.
Moments moments_of(const Shape& shape, double spacing, int dimensions);

} // namespace loam
