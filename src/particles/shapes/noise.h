// Gradient noise (Perlin 2002) with hashed lattice gradients, and sums of octaves of it. Values within about -1 to 1.
#pragma once

#include "base/vec.h"
#include "particles/hash.h"

namespace loam {

inline double fade(double t) { return t * t * t * (t * (6 * t - 15) + 10); }

inline double gradient_noise(const Vec3d& at, std::uint64_t seed) {
    const double fx = std::floor(at.x), fy = std::floor(at.y), fz = std::floor(at.z);
    const Vec3d p = at - Vec3d{fx, fy, fz};
    const auto corner = [&](int i, int j, int k) {
        const std::uint64_t h = hash_of(seed, static_cast<std::int64_t>(fx) + i, static_cast<std::int64_t>(fy) + j,
                                        static_cast<std::int64_t>(fz) + k);
        const Vec3d g{unit_number(h << 42) - 0.5, unit_number(h << 21) - 0.5, unit_number(h) - 0.5};
        return dot(normalized(g), p - Vec3d{double(i), double(j), double(k)});
    };
    const auto mix = [](double a, double b, double t) { return a + (b - a) * t; };
    const double u = fade(p.x), v = fade(p.y), w = fade(p.z);
    const double low = mix(mix(corner(0, 0, 0), corner(1, 0, 0), u), mix(corner(0, 1, 0), corner(1, 1, 0), u), v);
    const double high = mix(mix(corner(0, 0, 1), corner(1, 0, 1), u), mix(corner(0, 1, 1), corner(1, 1, 1), u), v);
    return 1.5 * mix(low, high, w);
}

// Octaves of half the wavelength and `gain` times the height each.
inline double fractal_noise(Vec3d at, int octaves, double gain, std::uint64_t seed) {
    double sum = 0, height = 1;
    for (int octave = 0; octave < octaves; ++octave) {
        sum += height * gradient_noise(at, seed + static_cast<std::uint64_t>(octave));
        at *= 2.03; // not quite 2, so that the zeros of the octaves do not fall together
        height *= gain;
    }
    return sum;
}

} // namespace loam
