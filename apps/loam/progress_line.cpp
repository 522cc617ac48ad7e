#include "progress_line.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "words.h"

namespace loam {
namespace {

std::string bar(double fraction, std::size_t width, bool unicode) {
    const double at = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(width);
    const auto full = static_cast<std::size_t>(at);
    std::string line;
    if (!unicode) {
        line = std::string(full, '=') + std::string(width - full, ' ');
        if (full > 0 && full < width) line[full - 1] = '>';
        return "[" + line + "]";
    }
    const char* eighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    for (std::size_t k = 0; k < full; ++k) line += "█";
    if (full < width) line += eighths[static_cast<std::size_t>((at - static_cast<double>(full)) * 8)];
    for (std::size_t k = full + 1; k < width; ++k) line += " ";
    return "│" + line + "│";
}

struct Part {
    std::string text;
    int rank; // the highest goes first when there is no room
};

std::size_t length_of(const std::vector<Part>& parts) {
    std::size_t length = 0;
    for (const Part& part : parts) length += part.text.size() + 2;
    return length;
}

} // namespace

std::string progress_line(const Progress& p, std::size_t width, bool unicode) {
    constexpr std::size_t shortest_bar = 8, longest_bar = 30;
    const std::string left = p.seconds_left < 0 ? "" : duration_text(p.seconds_left) + " left";
    std::vector<Part> parts{{p.name, 6},
                            {fmt::format("{:>{}}/{}", p.frame, std::to_string(p.last_frame).size(), p.last_frame), 0},
                            {p.pictures ? "" : fmt::format("{:.3f} s", p.time), 3},
                            {p.pictures ? "" : short_count(static_cast<double>(p.particles)) + " particles", 4},
                            {p.pictures ? "" : short_count(p.speed) + "/s", 2},
                            {left, 1}};
    std::erase_if(parts, [](const Part& part) { return part.text.empty(); });
    while (parts.size() > 1 && length_of(parts) + shortest_bar + 2 > width) {
        const auto least =
            std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; });
        parts.erase(least);
    }
    const std::size_t used = length_of(parts) + 2;
    std::string line;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool after_name = parts[0].rank == 6 ? k == 1 : k == 0;
        if (after_name && used + shortest_bar <= width)
            line += bar(p.fraction, std::min(width - used, longest_bar), unicode) + "  ";
        line += parts[k].text + (k + 1 < parts.size() ? "  " : "");
    }
    return used + shortest_bar <= width ? line : line.substr(0, width);
}

} // namespace loam
