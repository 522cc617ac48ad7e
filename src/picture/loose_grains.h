// Grains of particles that have hardly any others around them. Such a particle is a poor picture of what it stands for:
// its grains would hang together in the air. So they fly on their own, and land on walls and on whatever else there is
// (Lenaerts 2009, 5.3.1, after Alduan 2009: only where more than one particle is near does the flow carry a grain).
#pragma once

#include <algorithm>

#include "foam/obstacles.h"

namespace loam {

class LooseGrains {
public:
    LooseGrains(const Scene& scene, std::uint32_t body) : scene_(scene), body_(body), walls_(scene) {}

    void set_time(double time) {
        walls_.set_time(time);
        gravity_ = gravity_by_body(scene_, time)[body_];
    }

    struct Flight {
        Vec3d at, velocity;
    };
    // How fast a grain sets out from a particle: not quite as fast as the others of it.
    static Vec3d scattered(const Vec3d& velocity, std::uint32_t seed);
    // The flight, some time later. `stops(place)`: there is something to lie on.
    template <class Stops>
    Flight fly(Flight grain, double seconds, double radius, double stride, const Stops& stops) const {
        constexpr int most = 64;
        const double way = (length(grain.velocity) + seconds * length(gravity_)) * seconds;
        const int steps = std::clamp(static_cast<int>(way / stride) + 1, 1, most);
        for (int k = 0; k < steps; ++k) {
            grain.velocity += (seconds / steps) * gravity_;
            grain.at += (seconds / steps) * grain.velocity;
            meet_walls(grain, radius);
            if (stops(grain.at)) return {grain.at, {}};
        }
        return grain;
    }

private:
    void meet_walls(Flight& grain, double radius) const;

    const Scene& scene_;
    std::uint32_t body_;
    Obstacles walls_;
    Vec3d gravity_;
};

} // namespace loam
