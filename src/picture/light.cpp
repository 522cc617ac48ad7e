#include "picture/light.h"

#include <algorithm>

namespace loam {
namespace {
constexpr float pi = 3.14159265f;
constexpr float degrees = pi / 180;

float smooth(float from, float to, float x) {
    const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

// A bright rectangle around a direction, as an area light in a studio; sizes are tangents of half its angles.
struct SoftBox {
    Vec3f to;
    float wide = 0, high = 0, bright = 0;

    float radiance(const Vec3f& d) const {
        const Vec3f axis = normalized(to);
        const float along = dot(d, axis);
        if (along <= 0.05f) return 0;
        const Vec3f right = normalized(Vec3f{axis.z, 0, -axis.x} + Vec3f{1e-4f, 0, 0}), up = cross(axis, right);
        const float x = std::abs(dot(d, right)) / along, y = std::abs(dot(d, up)) / along;
        return bright * (1 - smooth(0.75f * wide, wide, x)) * (1 - smooth(0.75f * high, high, y));
    }
};
// One above, one behind what the usual camera looks at, a strip at its left.
constexpr SoftBox soft_boxes[] = {{{0.1f, 1, 0.05f}, 0.55f, 0.4f, 2.6f},
                                  {{-0.5f, 0.42f, -1}, 0.6f, 0.22f, 1.9f},
                                  {{-1, 0.35f, 0.45f}, 0.16f, 0.5f, 2.2f}};

} // namespace

Sky studio_sky() {
    Sky sky;
    sky.horizon = {0.44f, 0.45f, 0.47f}, sky.zenith = {0.66f, 0.68f, 0.71f}, sky.below = {0.3f, 0.3f, 0.3f};
    sky.studio.emplace();
    return sky;
}

Color Sky::mean() const { return strength * mix(horizon, zenith, 0.6f); }

Color Sky::seen(const Vec3f& d) const {
    if (map) return strength * map->radiance(d);
    if (!studio) return radiance(d);
    return mix(studio->low, studio->high, smooth(0, 0.6f, d.y));
}

Color Sky::mirrored(const Vec3f& d) const {
    if (map) return strength * map->radiance(d);
    if (!studio) return radiance(d);
    float bright = 0;
    for (const SoftBox& box : soft_boxes) bright += box.radiance(d);
    const Color walls = mix(studio->low, 0.35f * studio->high, smooth(0, 0.5f, d.y));
    return walls + strength * bright * Color{1, 0.99f, 0.97f};
}

Color Sky::radiance(const Vec3f& d) const {
    if (map) return strength * map->blurred(d);
    if (d.y < 0) return strength * mix(horizon, below, std::min(1.0f, -4 * d.y));
    return strength * mix(horizon, zenith, std::pow(d.y, 0.55f));
}

Vec3f Sun::sample(Sampler& sampler) const {
    const auto [u, v] = sampler.next2();
    const float r = angle * degrees * std::sqrt(u), phi = 2 * pi * v;
    const auto [a, b] = tangents(direction);
    return normalized(direction + r * std::cos(phi) * a + r * std::sin(phi) * b);
}

bool Sun::shines_from(const Vec3f& d) const { return dot(d, direction) > std::cos(angle * degrees); }

Color Sun::radiance() const {
    const float s = std::sin(angle * degrees);
    return (1 / (pi * s * s)) * irradiance;
}

// Duff et al. 2017, Building an Orthonormal Basis, Revisited.
Tangents tangents(const Vec3f& n) {
    const float sign = std::copysign(1.0f, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
    return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

} // namespace loam
