// Light from afar: a sky that grades from horizon to zenith, and a sun with a size, so that shadows are soft.
#pragma once

#include "picture/color.h"
#include "picture/sampler.h"

namespace loam {

struct Sky {
    Color horizon{0.72f, 0.77f, 0.84f}, zenith{0.30f, 0.45f, 0.72f}, below{0.35f, 0.35f, 0.35f};
    float strength = 1;

    Color radiance(const Vec3f& direction) const;
};

struct Sun {
    Vec3f direction{0.42f, 0.80f, 0.42f}; // to the sun, of unit length
    float angle = 2.2f;                   // angular radius [degrees]
    Color irradiance{3.3f, 3.05f, 2.7f};  // on a surface that faces it

    Vec3f sample(Sampler& sampler) const; // a direction to some point of its disk
    bool shines_from(const Vec3f& d) const;
    Color radiance() const; // of its disk
};

struct Light {
    Sky sky;
    Sun sun;
};

// Two unit vectors at right angles to n and to each other.
struct Tangents {
    Vec3f a, b;
};
Tangents tangents(const Vec3f& n);

} // namespace loam
