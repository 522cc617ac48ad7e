// Light from afar: a sky that grades from horizon to zenith, and a sun with a size, so that shadows are soft. In a
// studio the sky is a white dome; the camera sees a backdrop in its place, and mirrors see dark walls with bright soft
// boxes.
#pragma once

#include <memory>
#include <optional>

#include "picture/color.h"
#include "picture/environment_map.h"
#include "picture/sampler.h"

namespace loam {

struct Sky {
    Color horizon{0.72f, 0.77f, 0.84f}, zenith{0.30f, 0.45f, 0.72f}, below{0.35f, 0.35f, 0.35f};
    float strength = 1;
    struct Studio {
        Color low, high; // the backdrop, at the horizon and above
    };
    std::optional<Studio> studio;
    std::shared_ptr<const EnvironmentMap> map; // instead of all that

    Color radiance(const Vec3f& direction) const; // that things are lit by
    Color seen(const Vec3f& direction) const;     // straight from the camera
    Color mirrored(const Vec3f& direction) const; // by water, glass and what is glossy
    Color mean() const;                           // that lights a floor
};
Sky studio_sky();

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
