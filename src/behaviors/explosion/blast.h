// A blast wave in air, as it is felt at a distance r from where it went off.
//
//   p(r, t) = P min(1, a / r)^n (1 - s) exp(-s)     s = (t - t0 - r / c) / d, from 0 to 1        Friedlander 1946
//
//   P  pressure [Pa] up to the radius a [m]   n  falloff   t0 time of the blast   c  speed of the wave   d  its
//   duration
//
// Friedlander's wave goes on with a weak suction, which is left out. What it gives in a time is known exactly,
//   integral of (1 - s) exp(-s) from 0 to x  =  x exp(-x),
// so time steps do not decide how hard it hits.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/vec.h"

namespace loam {

struct Blast {
    Vec3d center;
    double time = 0, pressure = 0, radius = 0, falloff = 0, speed = 0, duration = 0;
    bool sheltered = true; // by walls

    double peak(double r) const { return pressure * std::pow(std::min(1.0, radius / std::max(r, 1e-12)), falloff); }
    double arrival(double r) const { return time + r / speed; }
    // Pressure times time, from `begin` to `end` [Pa s].
    double impulse(double r, double begin, double end) const {
        const auto so_far = [&](double t) {
            const double x = std::clamp((t - arrival(r)) / duration, 0.0, 1.0);
            return x * std::exp(-x);
        };
        return peak(r) * duration * (so_far(end) - so_far(begin));
    }
    // All of it.
    double impulse(double r) const { return peak(r) * duration * std::exp(-1.0); }
};

} // namespace loam
