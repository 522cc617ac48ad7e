// The air's velocity at a place and time: a steady wind, and gusts of smooth noise that travel with it.
#pragma once

#include <cstdint>

#include "base/declaration.h"

namespace loam {

struct Gusts {
    Vec3d wind;          // [m/s]
    double strength = 0; // of gusts as a fraction of the wind's speed
    double size = 1;     // [m]
    double period = 1;   // over which gusts change while they travel [s]
    std::uint64_t seed = 0;
    bool flat = false; // 2D: nothing blows along z

    Vec3d at(const Vec3d& place, double time) const;
};

Gusts gusts_from(const Values& values, int dimensions);

} // namespace loam
