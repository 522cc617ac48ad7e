#include "plot/svg.h"

#include <fmt/format.h>

namespace loam::svg {

std::string begin(double width, double height) {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"#222\">\n"
        "<style>.grid {{stroke: #ddd}} .base {{stroke: #888}} .title {{font-size: 19px; font-weight: bold}} "
        ".heading {{font-weight: bold}} .quiet {{fill: #666}} .small {{font-size: 12px}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
}

std::string end() { return "</svg>\n"; }

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < ' ') continue; // XML has no place for most of these
        safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
    }
    return safe;
}

std::string text(double x, double y, const std::string& attributes, const std::string& words) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped(words));
}

std::string line(double x1, double y1, double x2, double y2, const std::string& attributes) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2,
                       attributes);
}

std::string rectangle(double x, double y, double width, double height, const std::string& attributes) {
    return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>\n", x, y, width, height,
                       attributes);
}

std::string circle(double x, double y, double radius, const std::string& attributes) {
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" {}/>\n", x, y, radius, attributes);
}

std::string polyline(const std::vector<std::pair<double, double>>& points, const std::string& attributes) {
    std::string places;
    for (const auto& [x, y] : points) places += fmt::format("{}{:.1f},{:.1f}", places.empty() ? "" : " ", x, y);
    return fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", places, attributes);
}

} // namespace loam::svg
