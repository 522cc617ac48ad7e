// What is dissolved in a clear fluid, in pictures: how much light it takes from place to place. A grid of means over
// particles, between whose points values change evenly; rays go through it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec.h"
#include "picture/color.h"
#include "picture/ray.h"

namespace loam {

class Dye {
public:
    struct Particle {
        Vec3d place;
        Color absorption; // [1/m]
    };
    Dye(std::span<const Particle> particles, double spacing);

    // exp(-depth) of the light is left of what goes along the ray between these distances.
    Color depth(const Ray& ray, float begin, float end) const;

private:
    static constexpr std::size_t most_points = std::size_t{1} << 24;

    Color at(const Vec3f& cells) const; // from the corner

    float cell_ = 1;
    Vec3f corner_;
    std::array<std::int64_t, 3> count_{}; // of grid points
    std::vector<Color> points_;
};

} // namespace loam
