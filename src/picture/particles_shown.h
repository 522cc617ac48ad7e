// Particles of a frame as spheres: colored by a column, as the body's color, or as grains.
#pragma once

#include <optional>
#include <string>

#include "cache/frame.h"
#include "picture/grains.h"
#include "picture/looks.h"

namespace loam {

// A column that colors particles, and the values at the ends of the color map.
struct Coloring {
    std::string column; // a vector shows its length; `speed` is that of the velocity
    std::string unit;
    double least = 0, most = 1;
};

// An error when the frame has no such column, with the nearest name. The range is that of the frame without its
// outermost hundredths.
Result<Coloring> coloring_of(const Frame& frame, const std::string& name);

struct SphereOptions {
    double shutter = 0; // [s]
    const Coloring* coloring = nullptr;
    const AdvectedGrains* carried = nullptr; // otherwise grains stay where they are on their particle
};

// By particle: 1 where one of the body lies so deep among others of it that its grains are not seen.
std::vector<std::uint8_t> buried(const Frame& frame, std::uint32_t body);
// The particles of one body.
Spheres spheres_of(const Frame& frame, const Scene& scene, std::uint32_t body, const Look& look,
                   const SphereOptions& options);

// Drops of white water, in white.
Spheres drops_as_spheres(const Frame& drops, double shutter);

// How wet places on the surface of some bodies are, by their particles around (Lenaerts 6.14); empty where the frame
// does not tell it, or all of them are dry.
struct Wet {
    float saturation = 0, porosity = 0;
};
std::vector<Wet> wet_at(const Frame& frame, const std::vector<std::uint32_t>& bodies, const std::vector<Vec3f>& places);

} // namespace loam
