// Rotations of elastic particles: unit quaternions, x y z and w the real part.
#pragma once

#include "base/mat3.h"

namespace loam {

inline Mat3 rotation_of(const Float4& q) {
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

} // namespace loam
