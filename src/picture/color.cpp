#include "picture/color.h"

#include <algorithm>
#include <array>

namespace loam {

float linear_from_srgb(float v) { return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f); }
float srgb_from_linear(float v) { return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f; }

Color from_hex(std::uint32_t rgb) {
    const auto part = [&](int shift) { return linear_from_srgb(static_cast<float>(rgb >> shift & 255u) / 255.0f); };
    return {part(16), part(8), part(0)};
}

std::optional<Color> parse_color(std::string_view text) {
    if (text.size() != 7 || text[0] != '#') return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : text.substr(1)) {
        const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool digit = lower >= '0' && lower <= '9', letter = lower >= 'a' && lower <= 'f';
        if (!digit && !letter) return std::nullopt;
        value = value * 16 + static_cast<std::uint32_t>(digit ? lower - '0' : lower - 'a' + 10);
    }
    return from_hex(value);
}

Color palette_color(std::size_t number) {
    constexpr std::array<std::uint32_t, 8> palette{0xd9772b, 0x3d8f5f, 0xb8433f, 0x7a5fb0,
                                                   0xd4a72c, 0x2f8f9d, 0xc76a93, 0x7d7f3a};
    return from_hex(palette[number % palette.size()]);
}

// Knots in sRGB with evenly growing lightness (L* from 12 to 92); between them a straight line in sRGB.
Color map_color(float t) {
    constexpr std::array<std::uint32_t, 9> knots{0x2a1150, 0x362b7a, 0x33508c, 0x2b7091, 0x238f8f,
                                                 0x33ad7f, 0x6fc762, 0xb5dc45, 0xf8e93c};
    const float at = std::clamp(t, 0.0f, 1.0f) * (knots.size() - 1);
    const std::size_t k = std::min(static_cast<std::size_t>(at), knots.size() - 2);
    const float f = at - static_cast<float>(k);
    const auto part = [&](int shift) {
        const auto a = static_cast<float>(knots[k] >> shift & 255u),
                   b = static_cast<float>(knots[k + 1] >> shift & 255u);
        return linear_from_srgb((a + f * (b - a)) / 255);
    };
    return {part(16), part(8), part(0)};
}

} // namespace loam
