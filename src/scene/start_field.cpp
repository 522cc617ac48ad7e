#include "scene/start_field.h"

#include <cmath>

namespace loam {
namespace {

// Rodrigues: what turning by |angle| about its direction adds to r.
Vec3d turned_by(const Vec3d& angle, const Vec3d& r) {
    const double size = length(angle);
    if (!(size > 0)) return {};
    const Vec3d axis = angle / size;
    return std::sin(size) * cross(axis, r) + (1 - std::cos(size)) * cross(axis, cross(axis, r));
}

} // namespace

Vec3d StartField::at(const Vec3d& place, const Vec3d& center) const {
    const Vec3d r = place - about.value_or(center);
    Vec3d all = gradient * r + (of == Of::velocity ? cross(turning, r) : turned_by(turning, r));
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (formula[axis]) all[axis] += formula[axis]->at(place);
    return all;
}

} // namespace loam
