#include "behaviors/wind/gusts.h"

#include "particles/shapes/noise.h"

namespace loam {

Vec3d Gusts::at(const Vec3d& place, double time) const {
    const double speed = length(wind);
    if (strength <= 0 || speed <= 0) return wind;
    const Vec3d moving = (place - time * wind) / size; // Taylor 1938: turbulence is carried along, frozen...
    const double beat = time / period, whole = std::floor(beat), blend = fade(beat - whole); // ...but not for ever
    const auto now = static_cast<std::uint64_t>(whole);
    Vec3d gust;
    for (std::size_t axis = 0; axis < (flat ? 2u : 3u); ++axis) {
        const auto noise = [&](std::uint64_t moment) {
            // Each axis and moment has its own field.
            return gradient_noise(moving,
                                  hash_of(seed, static_cast<std::int64_t>(moment), static_cast<std::int64_t>(axis)));
        };
        gust[axis] = (1 - blend) * noise(now) + blend * noise(now + 1);
    }
    return wind + strength * speed * gust;
}

Gusts gusts_from(const Values& values, int dimensions) {
    Gusts gusts{values.vector("velocity"),
                values.number("gusts"),
                values.number("gust_size"),
                values.number("gust_period"),
                static_cast<std::uint64_t>(values.number("seed")),
                dimensions == 2};
    if (gusts.flat) gusts.wind.z = 0;
    return gusts;
}

} // namespace loam
