// Turning in space.
#pragma once

#include "base/vec.h"

namespace loam {

// By an angle [rad] about an axis of unit length, right-handed: Rodrigues' formula.
inline Vec3d turned(const Vec3d& p, const Vec3d& axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return c * p + s * cross(axis, p) + ((1 - c) * dot(axis, p)) * axis;
}

} // namespace loam
