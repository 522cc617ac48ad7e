// Colors: linear red, green and blue; sRGB only at the door.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/vec.h"

namespace loam {

using Color = Vec3f;

inline Color operator*(const Color& a, const Color& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Color mix(const Color& a, const Color& b, float t) { return (1 - t) * a + t * b; }
inline Color exp(const Color& a) { return {std::exp(a.x), std::exp(a.y), std::exp(a.z)}; }
inline float luminance(const Color& c) { return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z; }

float linear_from_srgb(float value);
float srgb_from_linear(float value);

// "#rrggbb", as people write it, to linear; nothing when it is not one.
std::optional<Color> parse_color(std::string_view text);
Color from_hex(std::uint32_t rgb);

// Pleasant and easy to tell apart; goes round after the last one.
Color palette_color(std::size_t number);

// Evenly perceived from dark blue over green to yellow, t from 0 to 1.
Color map_color(float t);

} // namespace loam
