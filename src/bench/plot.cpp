#include "bench/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace loam {
namespace {

constexpr double width = 960, height = 560;                      // of the picture
constexpr double left = 76, right = 690, top = 78, bottom = 492; // of the axes
constexpr double line_distance = 19;                             // of names
constexpr std::array palette{"#1f6fb4", "#c9541a", "#2b8a4b", "#7a4fb0", "#8a6d1f"};

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text)
        safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
    return safe;
}

std::string short_number(double value) {
    return value >= 1e6   ? fmt::format("{:g}M", value / 1e6)
           : value >= 1e3 ? fmt::format("{:g}k", value / 1e3)
                          : fmt::format("{:g}", value);
}

std::string label(double x, double y, const std::string& attributes, const std::string& text) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes, escaped(text));
}

// From values to places in the picture.
struct Axis {
    std::vector<double> marks;
    double from, to; // places of the first and the last mark

    double place(double value) const {
        const double least = std::log(marks.front()), most = std::log(marks.back());
        return from + (to - from) * (std::log(value) - least) / (most - least);
    }
};

Axis make_axis(const Plot& plot, double std::pair<double, double>::*coordinate, double from, double to) {
    double least = 1e300, most = 0;
    for (const PlotLine& line : plot.lines)
        for (const auto& point : line.points) {
            least = std::min(least, point.*coordinate);
            most = std::max(most, point.*coordinate);
        }
    if (!(most > 0)) least = 1, most = 10;
    std::vector<double> marks = round_numbers(least, most);
    if (marks.size() == 1) marks = round_numbers(least / 2, most * 2);
    return {marks, from, to};
}

std::string frame_of(const Plot& plot, const Axis& x, const Axis& y) {
    std::string svg;
    for (const double mark : y.marks) {
        const double at = y.place(mark);
        svg += fmt::format("<line x1=\"{}\" y1=\"{:.1f}\" x2=\"{}\" y2=\"{:.1f}\" class=\"grid\"/>\n", left, at, right,
                           at);
        svg += label(left - 10, at + 5, "text-anchor=\"end\"", short_number(mark));
    }
    for (const double mark : x.marks) {
        const double at = x.place(mark);
        svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{}\" x2=\"{:.1f}\" y2=\"{}\" class=\"grid\"/>\n", at, top, at,
                           bottom);
        svg += label(at, bottom + 22, "text-anchor=\"middle\"", short_number(mark));
    }
    svg += label(left, 32, "class=\"title\"", plot.title);
    svg += label(left, 55, "class=\"quiet\"", plot.subtitle);
    svg += label(0.5 * (left + right), height - 18, "text-anchor=\"middle\"", plot.x_label);
    const double middle = 0.5 * (top + bottom);
    svg += label(22, middle, fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 22 {:.1f})\"", middle),
                 plot.y_label);
    return svg;
}

std::string drawing_of(const PlotLine& line, const Axis& x, const Axis& y) {
    const char* color = palette[line.color % palette.size()];
    std::string path, points;
    for (const auto& [a, b] : line.points) {
        path += fmt::format("{:.1f},{:.1f} ", x.place(a), y.place(b));
        points += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
            x.place(a), y.place(b), line.thin ? "white" : color, color);
    }
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", path, color,
                       line.thin ? 1.4 : 2.4, line.dashed ? " stroke-dasharray=\"7 5\"" : "") +
           points;
}

// Names stand beside the ends of their lines; where those are too near to each other, a thin lead joins them.
std::string names_of(const std::vector<const PlotLine*>& lines, const Axis& x, const Axis& y) {
    std::vector<const PlotLine*> ordered = lines;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const auto* a, const auto* b) { return a->points.back().second > b->points.back().second; });
    std::vector<double> ends;
    for (const PlotLine* line : ordered) ends.push_back(y.place(line->points.back().second));
    const std::vector<double> places = spread_apart(ends, line_distance, top, height - 10);
    std::string svg;
    for (std::size_t k = 0; k < ordered.size(); ++k) {
        const char* color = palette[ordered[k]->color % palette.size()];
        svg += fmt::format("<polyline points=\"{:.1f},{:.1f} {},{:.1f} {},{:.1f}\" fill=\"none\" stroke=\"{}\" "
                           "stroke-width=\"0.7\" opacity=\"0.6\"/>\n",
                           x.place(ordered[k]->points.back().first) + 6, ends[k], right + 8, ends[k], right + 26,
                           places[k], color);
        svg += label(right + 31, places[k] + 5, fmt::format("fill=\"{}\"", color), ordered[k]->name);
    }
    return svg;
}

} // namespace

std::vector<double> round_numbers(double least, double most) {
    const double slack = 1e-9;
    std::vector<double> all;
    for (int power = static_cast<int>(std::floor(std::log10(least)));; ++power)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double value = digit * std::pow(10.0, power);
            if (value <= least * (1 + slack)) all.clear();
            all.push_back(value);
            if (value >= most * (1 - slack)) return all;
        }
}

std::vector<double> spread_apart(const std::vector<double>& wanted, double distance, double least, double most) {
    std::vector<double> places = wanted;
    // Groups of names that touch are centered on what they want; two passes push them back between the limits.
    std::vector<std::pair<double, std::size_t>> groups; // mean place, count
    for (const double want : wanted) {
        groups.push_back({want, 1});
        while (groups.size() > 1) {
            const auto [lower, lower_count] = groups.back();
            const auto [upper, upper_count] = groups[groups.size() - 2];
            const double n = static_cast<double>(lower_count), m = static_cast<double>(upper_count);
            if (lower - upper >= 0.5 * (n + m) * distance) break;
            groups.pop_back();
            groups.back() = {(n * lower + m * upper) / (n + m), lower_count + upper_count};
        }
    }
    std::size_t k = 0;
    for (const auto& [mean, count] : groups)
        for (std::size_t i = 0; i < count; ++i)
            places[k++] = mean + (static_cast<double>(i) - 0.5 * static_cast<double>(count - 1)) * distance;
    for (std::size_t i = places.size(); i-- > 0;)
        places[i] = std::min(places[i], i + 1 < places.size() ? places[i + 1] - distance : most);
    for (std::size_t i = 0; i < places.size(); ++i)
        places[i] = std::max(places[i], i > 0 ? places[i - 1] + distance : least);
    return places;
}

std::string svg_of(const Plot& plot) {
    const Axis x = make_axis(plot, &std::pair<double, double>::first, left, right);
    const Axis y = make_axis(plot, &std::pair<double, double>::second, bottom, top);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\" fill=\"#222\">\n"
        "<style>.grid {{stroke: #ddd}} .title {{font-size: 19px; font-weight: bold}} .quiet {{fill: #666}}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        width, height);
    svg += frame_of(plot, x, y);
    std::vector<const PlotLine*> drawn;
    for (const PlotLine& line : plot.lines) {
        if (line.points.empty()) continue;
        drawn.push_back(&line);
        svg += drawing_of(line, x, y);
    }
    return svg + names_of(drawn, x, y) + "</svg>\n";
}

} // namespace loam
