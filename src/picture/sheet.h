// Several frames in one picture, and words on pictures.
#pragma once

#include <string_view>
#include <vector>

#include "picture/image.h"
#include "picture/particles_shown.h"

namespace loam {

struct SheetPicture {
    Bitmap picture;
    std::string label; // written in its lower left corner
};

// In rows, from left to right, as near to `columns` wide as they fill; all of the same size.
Bitmap contact_sheet(const std::vector<SheetPicture>& pictures, int columns, int gap = 4);

// Small letters, 5 by 7 pixels each at scale 1; returns the width. Unknown characters are blank.
int write_text(Bitmap& onto, int x, int y, std::string_view text, const Color& color, int scale = 1);
int text_width(std::string_view text, int scale = 1);

// The color map with its values, in the lower right corner.
void draw_legend(Bitmap& onto, const Coloring& coloring);

// `count` of the numbers, evenly spaced, first and last included.
std::vector<std::uint64_t> evenly_spaced(const std::vector<std::uint64_t>& numbers, std::size_t count);

} // namespace loam
