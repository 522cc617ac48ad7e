// Plots of lines, as SVG: one large, or several small ones on a page. Each line has its name at its right end.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plot/axis.h"

namespace loam {

constexpr std::size_t plot_black = static_cast<std::size_t>(-1); // a color beside the palette, for references

struct PlotLine {
    std::string name;
    std::size_t color = 0; // of a small palette, by number
    bool dashed = false;   // else drawn through
    bool thin = false;     // with hollow points
    bool dots = true;      // on every point; without, only where there is a single one
    bool joined = true;    // by a line; else points alone
    std::vector<std::pair<double, double>> points;
};

// What holds from one x to another; drawn as a colored strip along the foot of a panel.
struct PlotSpan {
    std::string name;
    double from = 0, to = 0;
};

struct Panel {
    std::string title, x_label, y_label;
    Scale x = Scale::linear, y = Scale::linear;
    bool from_zero = false;                           // the y axis has 0, if it is linear
    std::optional<std::pair<double, double>> x_range; // of the x axis; that of the points if not given
    std::vector<PlotLine> lines;
    std::vector<PlotSpan> spans;
    std::string spans_title; // what their names are, such as "limited by"
};

struct Plot {
    std::string title, subtitle;
    std::vector<Panel> panels; // one fills the page; more stand in two columns
};

// Points that are not finite, or not positive on a logarithmic axis, are left out. A panel without any has axes only.
std::string svg_of(const Plot& plot);

} // namespace loam
