// A symmetric matrix as two records: xx yy zz, yz xz xy.
#pragma once

#include <cmath>

#include "base/vec.h"

namespace loam {

struct Stress {
    Float4 diagonal, shear;

    friend Stress operator+(const Stress& a, const Stress& b) {
        return {{a.diagonal.x + b.diagonal.x, a.diagonal.y + b.diagonal.y, a.diagonal.z + b.diagonal.z},
                {a.shear.x + b.shear.x, a.shear.y + b.shear.y, a.shear.z + b.shear.z}};
    }
    friend Stress operator*(float s, const Stress& a) {
        return {{s * a.diagonal.x, s * a.diagonal.y, s * a.diagonal.z}, {s * a.shear.x, s * a.shear.y, s * a.shear.z}};
    }
    friend Stress operator-(const Stress& a, const Stress& b) { return a + (-1.0f) * b; }
};

// a : b
inline float inner(const Stress& a, const Stress& b) {
    return a.diagonal.x * b.diagonal.x + a.diagonal.y * b.diagonal.y + a.diagonal.z * b.diagonal.z +
           2 * (a.shear.x * b.shear.x + a.shear.y * b.shear.y + a.shear.z * b.shear.z);
}
// As the largest shear of a plane flow has it.
inline float size(const Stress& a) { return std::sqrt(0.5f * inner(a, a)); }

} // namespace loam
