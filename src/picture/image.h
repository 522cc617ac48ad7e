// Pictures in memory: of light while they are made, of bytes when they are shown.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/color.h"

namespace loam {

struct Size {
    int width = 960, height = 540;
    std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
    friend bool operator==(const Size&, const Size&) = default;
};

// Linear light.
struct Image {
    Size size;
    std::vector<Color> pixels; // rows from the top

    explicit Image(Size s = {0, 0}) : size(s), pixels(s.pixels()) {}
    Color& at(int x, int y) { return pixels[static_cast<std::size_t>(y) * size.width + x]; }
    const Color& at(int x, int y) const { return pixels[static_cast<std::size_t>(y) * size.width + x]; }
};

// sRGB, 8 bits each of red, green and blue.
struct Bitmap {
    Size size;
    std::vector<std::uint8_t> bytes; // rows from the top

    explicit Bitmap(Size s = {0, 0}) : size(s), bytes(3 * s.pixels()) {}
    std::uint8_t* pixel(int x, int y) { return &bytes[3 * (static_cast<std::size_t>(y) * size.width + x)]; }
    const std::uint8_t* pixel(int x, int y) const { return &bytes[3 * (static_cast<std::size_t>(y) * size.width + x)]; }
    void set(int x, int y, const Color& color, float opacity = 1); // ignored outside of the picture
    void fill(int x, int y, int width, int height, const Color& color, float opacity = 1);
};

// From light to what a screen shows: highlights roll off softly instead of being cut.
// Contrast: what is brighter or darker than middle grey gets more so above 1.
Bitmap develop(const Image& image, float exposure, float contrast = 1);

// Shown at another size: each pixel is the mean of what it covers.
Bitmap resized(const Bitmap& source, Size size);
void paste(Bitmap& onto, const Bitmap& picture, int x, int y);

} // namespace loam
