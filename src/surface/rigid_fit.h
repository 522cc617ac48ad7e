// The rigid motion that brings points at rest closest to where they are now, in the sense of least squares (Horn 1987).
#pragma once

#include <array>
#include <span>

#include "base/vec.h"

namespace loam {

struct RigidFit {
    Vec3d rest_center, center;
    double error = 0;                                                          // root mean square of what is left [m]
    std::array<Vec3d, 3> rows{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}; // of the rotation

    Vec3d turned(const Vec3d& v) const { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
    Vec3d point(const Vec3d& at_rest) const { return center + turned(at_rest - rest_center); }
};

// Both of one size. Points on a line leave the turn about it open; any one is given then.
RigidFit fit_rigid(std::span<const Vec3d> at_rest, std::span<const Vec3d> now);

} // namespace loam
