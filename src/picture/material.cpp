#include "picture/material.h"

#include <algorithm>

namespace loam {

float fresnel(float cosine, float eta) {
    const float sine2 = eta * eta * (1 - cosine * cosine);
    if (sine2 >= 1) return 1;
    const float other = std::sqrt(1 - sine2);
    const float across = (eta * cosine - other) / (eta * cosine + other);
    const float along = (cosine - eta * other) / (cosine + eta * other);
    return 0.5f * (across * across + along * along);
}

float pane_reflects(const Material& pane, float cosine) {
    const float once = fresnel(cosine, 1 / pane.ior);
    return 2 * once / (1 + once);
}

Color pane_passes(const Material& pane, float cosine) { return exp(-(1 / std::max(cosine, 0.1f)) * pane.absorption); }

Vec3f reflected(const Vec3f& d, const Vec3f& n) { return d - 2 * dot(d, n) * n; }

Vec3f refracted(const Vec3f& d, const Vec3f& n, float eta) {
    const float cosine = -dot(d, n);
    const float other = std::sqrt(std::max(0.0f, 1 - eta * eta * (1 - cosine * cosine)));
    return normalized(eta * d + (eta * cosine - other) * n);
}

Vec3f scattered(const Vec3f& n, Sampler& sampler) {
    const auto [u, v] = sampler.next2();
    const float r = std::sqrt(u), phi = 6.2831853f * v;
    const auto [a, b] = tangents(n);
    return normalized(r * std::cos(phi) * a + r * std::sin(phi) * b + std::sqrt(std::max(0.0f, 1 - u)) * n);
}

Vec3f roughened(const Vec3f& mirror, const Vec3f& n, float roughness, Sampler& sampler) {
    if (roughness <= 0) return mirror;
    const auto [u, v] = sampler.next2();
    const float r = roughness * std::sqrt(u / std::max(1e-3f, 1 - u)), phi = 6.2831853f * v;
    const auto [a, b] = tangents(mirror);
    const Vec3f d = normalized(mirror + r * std::cos(phi) * a + r * std::sin(phi) * b);
    return dot(d, n) > 0 ? d : mirror;
}

Color absorption_of(const Color& color, float depth) {
    const auto part = [&](float c) { return -std::log(std::clamp(c, 0.002f, 1.0f)) / depth; };
    return {part(color.x), part(color.y), part(color.z)};
}

Color wetted(const Color& dry, float wetness) {
    const float w = std::clamp(wetness, 0.0f, 1.0f);
    return (w * wet_darkening + (1 - w)) * dry;
}

float wetness_of(float saturation, float porosity) {
    constexpr float enough_pores = 0.4f;
    return saturation * std::min(1.0f, porosity / enough_pores);
}

float film_of(float saturation) {
    const float t = std::clamp((saturation - 0.5f) / 0.45f, 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

} // namespace loam
