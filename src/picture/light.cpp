#include "picture/light.h"

namespace loam {
namespace {
constexpr float pi = 3.14159265f;
constexpr float degrees = pi / 180;
} // namespace

Color Sky::radiance(const Vec3f& d) const {
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
