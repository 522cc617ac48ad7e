#include "plot/panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "plot/svg.h"

namespace loam {
namespace {

using Point = std::pair<double, double>;

constexpr std::array palette{"#1f6fb4", "#c9541a", "#2b8a4b", "#7a4fb0", "#8a6d1f"};
constexpr std::array soft_palette{"#b9cfe4", "#e6c3a8", "#bcd8c0", "#d2c4e4", "#d9d2b0", "#d8d8d8"};
constexpr double strip_height = 9; // of spans

const char* color_of(const PlotLine& line) {
    return line.color == plot_black ? "#222" : palette[line.color % palette.size()];
}

bool shown(double value, Scale scale) { return std::isfinite(value) && (scale != Scale::logarithmic || value > 0); }

// A panel's lines without what cannot be shown.
std::vector<PlotLine> shown_lines(const Panel& panel) {
    std::vector<PlotLine> lines = panel.lines;
    for (PlotLine& line : lines)
        std::erase_if(line.points,
                      [&](const Point& p) { return !shown(p.first, panel.x) || !shown(p.second, panel.y); });
    std::erase_if(lines, [](const PlotLine& line) { return line.points.empty(); });
    return lines;
}

struct Range {
    double least = std::numeric_limits<double>::infinity(), most = -least;

    void add(double value) { least = std::min(least, value), most = std::max(most, value); }
};

Axis x_axis(const Panel& panel, const std::vector<PlotLine>& lines, const PanelPlace& place) {
    Range range;
    for (const PlotLine& line : lines)
        for (const Point& point : line.points) range.add(point.first);
    if (panel.x_range) range = {panel.x_range->first, panel.x_range->second};
    return make_axis(panel.x, range.least, range.most, place.left, place.right);
}

Axis y_axis(const Panel& panel, const std::vector<PlotLine>& lines, const PanelPlace& place) {
    Range range;
    if (panel.from_zero && panel.y != Scale::logarithmic) range.add(0);
    for (const PlotLine& line : lines)
        for (const Point& point : line.points) range.add(point.second);
    return make_axis(panel.y, range.least, range.most, place.bottom, place.top);
}

class Drawing {
public:
    Drawing(const Panel& panel, const PanelPlace& place)
        : panel_(panel), at_(place), lines_(shown_lines(panel)), x_(x_axis(panel, lines_, place)),
          y_(y_axis(panel, lines_, place)) {}

    std::string svg() const {
        std::string all = grid() + labels() + spans();
        for (const PlotLine& line : lines_) all += drawing_of(line);
        return all + names();
    }

private:
    std::string grid() const {
        const std::string size = at_.small ? " class=\"small\"" : "";
        std::string svg;
        for (const double mark : y_.marks) {
            const double y = y_.place(mark);
            svg += svg::line(at_.left, y, at_.right, y, "class=\"grid\"");
            svg += svg::text(at_.left - 8, y + (at_.small ? 4 : 5), "text-anchor=\"end\"" + size, short_number(mark));
        }
        for (const double mark : x_.marks) {
            const double x = x_.place(mark);
            svg += svg::line(x, at_.top, x, at_.bottom, "class=\"grid\"");
            svg +=
                svg::text(x, at_.bottom + (at_.small ? 18 : 22), "text-anchor=\"middle\"" + size, short_number(mark));
        }
        return svg + svg::line(at_.left, at_.bottom, at_.right, at_.bottom, "class=\"base\"");
    }

    std::string labels() const {
        std::string svg;
        if (!panel_.title.empty()) svg += svg::text(at_.left, at_.top - 14, "class=\"heading\"", panel_.title);
        if (!panel_.x_label.empty())
            svg += svg::text(0.5 * (at_.left + at_.right), at_.bottom + (at_.small ? 36 : 50),
                             fmt::format("text-anchor=\"middle\"{}", at_.small ? " class=\"quiet small\"" : ""),
                             panel_.x_label);
        const double middle = 0.5 * (at_.top + at_.bottom), x = at_.left - (at_.small ? 48 : 54);
        if (!panel_.y_label.empty())
            svg += svg::text(x, middle,
                             fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\"{}", x, middle,
                                         at_.small ? " class=\"quiet small\"" : ""),
                             panel_.y_label);
        return svg;
    }

    // The strip, and beside the panel's title what its colors mean.
    std::string spans() const {
        std::vector<std::string> names;
        std::string svg;
        for (const PlotSpan& span : panel_.spans) {
            auto known = std::find(names.begin(), names.end(), span.name);
            if (known == names.end()) known = names.insert(names.end(), span.name);
            const char* color = soft_color(static_cast<std::size_t>(known - names.begin()));
            const double from = std::clamp(x_.place(span.from), at_.left, at_.right);
            const double to = std::clamp(x_.place(span.to), at_.left, at_.right);
            svg += svg::rectangle(from, at_.bottom - strip_height, to - from, strip_height,
                                  fmt::format("fill=\"{}\"", color));
        }
        double right = at_.right + (at_.small ? 90 : 0); // above the names of lines there is room
        for (std::size_t k = names.size(); k-- > 0;) {
            const double width = 6.4 * static_cast<double>(names[k].size()); // about, in any font
            svg += svg::text(right, at_.top - 14, "text-anchor=\"end\" class=\"quiet small\"", names[k]);
            svg += svg::rectangle(right - width - 13, at_.top - 23, 9, 9, fmt::format("fill=\"{}\"", soft_color(k)));
            right -= width + 24;
        }
        if (!names.empty())
            svg += svg::text(right, at_.top - 14, "text-anchor=\"end\" class=\"quiet small\"", panel_.spans_title);
        return svg;
    }

    std::string drawing_of(const PlotLine& line) const {
        const char* color = color_of(line);
        const double width = (line.thin ? 1.4 : 2.4) * (at_.small ? 0.75 : 1);
        std::vector<Point> path;
        for (const auto& [a, b] : line.points) path.push_back({x_.place(a), y_.place(b)});
        std::string svg;
        if (line.joined)
            svg = svg::polyline(path, fmt::format("stroke=\"{}\" stroke-width=\"{:.3g}\" stroke-linejoin=\"round\"{}",
                                                  color, width, line.dashed ? " stroke-dasharray=\"7 5\"" : ""));
        if (line.joined && !line.dots && path.size() > 1) return svg;
        for (const auto& [a, b] : path)
            svg += svg::circle(
                a, b, at_.small ? 3 : 4,
                fmt::format("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"", line.thin ? "white" : color, color));
        return svg;
    }

    // Names stand beside the ends of their lines; where those are too near to each other, a thin lead joins them.
    std::string names() const {
        std::vector<const PlotLine*> ordered;
        for (const PlotLine& line : lines_) ordered.push_back(&line);
        std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
            return a->points.back().second > b->points.back().second;
        });
        std::vector<double> ends;
        for (const PlotLine* line : ordered) ends.push_back(y_.place(line->points.back().second));
        const std::vector<double> places = spread_apart(ends, at_.small ? 15 : 19, at_.top, at_.names_bottom);
        const double lead = at_.small ? 16 : 26;
        std::string svg;
        for (std::size_t k = 0; k < ordered.size(); ++k) {
            if (ordered[k]->name.empty()) continue;
            const char* color = color_of(*ordered[k]);
            const double end = x_.place(ordered[k]->points.back().first) + (ordered[k]->dots ? 6 : 0);
            const bool far = end < at_.right - 2 * lead; // a lead so long must not pass for a part of the line
            svg += svg::polyline({{end, ends[k]}, {at_.right + lead / 3, ends[k]}, {at_.right + lead, places[k]}},
                                 fmt::format("stroke=\"{}\" stroke-width=\"0.7\" opacity=\"0.6\"{}", color,
                                             far ? " stroke-dasharray=\"1 5\"" : ""));
            svg +=
                svg::text(at_.right + lead + 5, places[k] + 5,
                          fmt::format("fill=\"{}\"{}", color, at_.small ? " class=\"small\"" : ""), ordered[k]->name);
        }
        return svg;
    }

    static const char* soft_color(std::size_t number) {
        return soft_palette[std::min(number, soft_palette.size() - 1)];
    }

    const Panel& panel_;
    const PanelPlace& at_;
    std::vector<PlotLine> lines_;
    Axis x_, y_;
};

} // namespace

std::string svg_of(const Panel& panel, const PanelPlace& place) { return Drawing(panel, place).svg(); }

} // namespace loam
