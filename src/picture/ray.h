#pragma once

#include "base/vec.h"

namespace loam {

struct Ray {
    Vec3f from, direction; // of unit length
    float time = 0.5f;     // within the shutter, 0 to 1
    float begin = 0;       // nearer hits do not count
};

// A point far or near on the ray.
inline Vec3f at(const Ray& ray, float distance) { return ray.from + distance * ray.direction; }

} // namespace loam
