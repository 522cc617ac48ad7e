#include "picture/sheet.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "picture/letters.h"

namespace loam {

int text_width(std::string_view text, int scale) { return static_cast<int>(text.size()) * 6 * scale; }

int write_text(Bitmap& onto, int x, int y, std::string_view text, const Color& color, int scale) {
    for (const char c : text) {
        const Letter letter = letter_of(c);
        for (int column = 0; column < 5; ++column)
            for (int row = 0; row < 7; ++row)
                if (letter[static_cast<std::size_t>(row)] >> (4 - column) & 1)
                    onto.fill(x + column * scale, y + row * scale, scale, scale, color);
        x += 6 * scale;
    }
    return text_width(text, scale);
}

Bitmap contact_sheet(const std::vector<SheetPicture>& pictures, int columns, int gap) {
    if (pictures.empty()) return Bitmap{};
    const Size one = pictures.front().picture.size;
    const int count = static_cast<int>(pictures.size());
    columns = std::clamp(columns, 1, count);
    if (columns > 2 && count % columns != 0 && count % (columns - 1) == 0) --columns; // no gap in the last row
    const int rows = (count + columns - 1) / columns;
    Bitmap sheet(Size{columns * one.width + (columns + 1) * gap, rows * one.height + (rows + 1) * gap});
    std::fill(sheet.bytes.begin(), sheet.bytes.end(), std::uint8_t{250});
    for (int k = 0; k < count; ++k) {
        const SheetPicture& shown = pictures[static_cast<std::size_t>(k)];
        const int x = gap + k % columns * (one.width + gap), y = gap + k / columns * (one.height + gap);
        paste(sheet, shown.picture, x, y);
        const int below = y + one.height - 14;
        sheet.fill(x + 3, below - 3, text_width(shown.label) + 6, 13, {1, 1, 1}, 0.6f);
        write_text(sheet, x + 6, below, shown.label, {0.02f, 0.02f, 0.02f});
    }
    return sheet;
}

void draw_legend(Bitmap& onto, const Coloring& coloring) {
    const int scale = std::max(1, onto.size.height / 540);
    const int width = std::min(220 * scale, onto.size.width * 2 / 3), height = 12 * scale;
    const int x = onto.size.width - width - 16 * scale, y = onto.size.height - 34 * scale;
    const Color ink{0.02f, 0.02f, 0.02f};
    onto.fill(x - 8 * scale, y - 18 * scale, width + 16 * scale, 48 * scale, {1, 1, 1}, 0.65f);
    for (int i = 0; i < width; ++i)
        onto.fill(x + i, y, 1, height, map_color(static_cast<float>(i) / static_cast<float>(width - 1)));
    const std::string unit = coloring.unit.empty() ? "" : " [" + coloring.unit + "]";
    write_text(onto, x, y - 12 * scale, coloring.column + unit, ink, scale);
    const std::string least = fmt::format("{:.3g}", coloring.least), most = fmt::format("{:.3g}", coloring.most);
    write_text(onto, x, y + height + 4 * scale, least, ink, scale);
    write_text(onto, x + width - text_width(most, scale), y + height + 4 * scale, most, ink, scale);
}

std::vector<std::uint64_t> evenly_spaced(const std::vector<std::uint64_t>& numbers, std::size_t count) {
    if (numbers.size() <= count || count == 0) return numbers;
    std::vector<std::uint64_t> chosen;
    for (std::size_t k = 0; k < count; ++k)
        chosen.push_back(numbers[count == 1 ? 0 : (k * (numbers.size() - 1) + (count - 1) / 2) / (count - 1)]);
    return chosen;
}

} // namespace loam
