// What surfaces do with light.
#pragma once

#include <utility>

#include "picture/color.h"
#include "picture/light.h"

namespace loam {

struct Material {
    enum class Kind {
        solid, // scatters at its surface
        clear, // lets light through: reflects, refracts, absorbs
        pane,  // so thin that light goes through it straight: reflects and absorbs
        flat   // shows its color without any light: diagrams
    };
    Kind kind = Kind::solid;
    Color color{0.7f, 0.7f, 0.7f};
    Color glow;                   // light that it gives off by itself
    Color absorption;             // of light within a clear material [1/m], or straight through a pane [-]
    bool dyed = false;            // absorption differs from place to place: see dye.h
    float depth = 1;              // of a clear one: how far light goes in it until it has its color [m]
    float ior = 1.33f;            // index of refraction of a clear material, or of the coat of a solid one
    bool coat = false;            // a clear coat that reflects: glossy
    float roughness = 0;          // of the coat, 0 for a mirror
    float let_through = 0;        // share of scattered light that leaves on the other side: translucent, cloth
    float film_roughness = 0.15f; // of the film of water on it where it is wet
};

// The share of light that a smooth surface reflects (Fresnel). cosine: of the angle of incidence, on the side where the
// light comes from; eta: index of refraction there, divided by that on the other side. 1 for total reflection.
float fresnel(float cosine, float eta);

// The share that a pane reflects, by both of its faces and any number of times between them.
float pane_reflects(const Material& pane, float cosine);
// What a pane leaves of light that goes through.
Color pane_passes(const Material& pane, float cosine);

Vec3f reflected(const Vec3f& direction, const Vec3f& normal);
// Snell. The normal is on the side where the light comes from; not for total reflection.
Vec3f refracted(const Vec3f& direction, const Vec3f& normal, float eta);

// About the normal, more often where light counts more: density cosine / pi.
Vec3f scattered(const Vec3f& normal, Sampler& sampler);
// A direction near `mirror`, on the side of the normal.
Vec3f roughened(const Vec3f& mirror, const Vec3f& normal, float roughness, Sampler& sampler);

// The absorption that leaves white light with this color after `depth`.
Color absorption_of(const Color& color, float depth);

// Wet things are darker (Lenaerts 6.13): f_wet = w delta f_dry + (1 - w) f_dry with the wetness w, by saturation and
// porosity. Where a mesh carries the wetness of its particles, its means at vertices are those of 6.14.
inline constexpr float wet_darkening = 0.35f; // delta
Color wetted(const Color& dry, float wetness);
// What is seen is water on grains and fibers: from some porosity on there is no darker.
float wetness_of(float saturation, float porosity);
// And they shine, once pores are nearly full: how much of a film of water there is on the surface, 0 to 1.
float film_of(float saturation);

} // namespace loam
