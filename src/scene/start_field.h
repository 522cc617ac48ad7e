// A field of place that a body begins with: its velocity, or how far it is displaced from its shape at rest. Its parts
// are summed:
//
//   turning    w x r, of displacements R(w) r - r      r from `about`
//   gradient   G r
//   formula    f(x), one for each component
#pragma once

#include <array>
#include <optional>

#include "base/formula.h"
#include "base/mat3.h"

namespace loam {

struct StartField {
    enum class Of { velocity, displacement };

    Of of = Of::velocity;
    std::optional<Vec3d> about; // else the body's center
    Vec3d turning;              // [rad/s], or an angle about its direction [rad]
    Mat3 gradient{};            // [1/s], or without unit
    std::array<std::optional<Formula>, 3> formula;

    Vec3d at(const Vec3d& place, const Vec3d& center) const;
};

} // namespace loam
