#include "picture/image.h"

#include <algorithm>

#include "base/parallel.h"

namespace loam {
namespace {

std::uint8_t byte_of(float linear) {
    return static_cast<std::uint8_t>(255 * srgb_from_linear(std::clamp(linear, 0.0f, 1.0f)) + 0.5f);
}

// Straight up to `knee`, then bent so that it nears 1 with the same slope at the knee.
float roll_off(float v) {
    constexpr float knee = 0.6f;
    return v <= knee ? v : 1 - (1 - knee) * (1 - knee) / (v - knee + (1 - knee));
}

} // namespace

void Bitmap::set(int x, int y, const Color& color, float opacity) {
    if (x < 0 || y < 0 || x >= size.width || y >= size.height) return;
    std::uint8_t* const to = pixel(x, y);
    for (std::size_t c = 0; c < 3; ++c) {
        const auto below = static_cast<float>(to[c]);
        to[c] = static_cast<std::uint8_t>(below + opacity * (static_cast<float>(byte_of(color[c])) - below) + 0.5f);
    }
}

void Bitmap::fill(int x, int y, int width, int height, const Color& color, float opacity) {
    for (int j = y; j < y + height; ++j)
        for (int i = x; i < x + width; ++i) set(i, j, color, opacity);
}

Bitmap develop(const Image& image, float exposure, float contrast) {
    constexpr float middle = 0.2f; // what keeps its brightness
    Bitmap shown(image.size);
    parallel_each(image.pixels.size(), [&](std::size_t i) {
        Color light = exposure * image.pixels[i];
        if (contrast != 1)
            for (std::size_t c = 0; c < 3; ++c)
                light[c] = middle * std::pow(std::max(light[c], 0.0f) / middle, contrast);
        for (std::size_t c = 0; c < 3; ++c) shown.bytes[3 * i + c] = byte_of(roll_off(light[c]));
    });
    return shown;
}

Bitmap resized(const Bitmap& source, Size size) {
    Bitmap result(size);
    const auto begin_of = [](int i, int to, int from) { return static_cast<int>(std::int64_t{i} * from / to); };
    parallel_each(size.pixels(), [&](std::size_t i) {
        const int x = static_cast<int>(i) % size.width, y = static_cast<int>(i) / size.width;
        const int x0 = begin_of(x, size.width, source.size.width), y0 = begin_of(y, size.height, source.size.height);
        const int x1 = std::max(x0 + 1, begin_of(x + 1, size.width, source.size.width));
        const int y1 = std::max(y0 + 1, begin_of(y + 1, size.height, source.size.height));
        Color sum;
        for (int v = y0; v < y1; ++v)
            for (int u = x0; u < x1; ++u)
                for (std::size_t c = 0; c < 3; ++c)
                    sum[c] += linear_from_srgb(static_cast<float>(source.pixel(u, v)[c]) / 255);
        const float share = 1 / static_cast<float>((x1 - x0) * (y1 - y0));
        for (std::size_t c = 0; c < 3; ++c) result.bytes[3 * i + c] = byte_of(share * sum[c]);
    });
    return result;
}

void paste(Bitmap& onto, const Bitmap& picture, int x, int y) {
    for (int j = 0; j < picture.size.height; ++j)
        for (int i = 0; i < picture.size.width; ++i)
            if (x + i >= 0 && y + j >= 0 && x + i < onto.size.width && y + j < onto.size.height)
                std::copy_n(picture.pixel(i, j), 3, onto.pixel(x + i, y + j));
}

} // namespace loam
