// A plot of lines with logarithmic axes, as SVG. Each line has its name at its right end.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace loam {

struct PlotLine {
    std::string name;
    std::size_t color = 0;                         // of a small palette, by number
    bool dashed = false;                           // else drawn through
    bool thin = false;                             // with hollow points
    std::vector<std::pair<double, double>> points; // positive
};

struct Plot {
    std::string title, subtitle, x_label, y_label;
    std::vector<PlotLine> lines;
};

// Without a positive point there are axes only.
std::string svg_of(const Plot& plot);

// Round numbers, 1, 2, 5 times powers of ten, from the last one not above `least` to the first one not below `most`.
std::vector<double> round_numbers(double least, double most);

// Moves `wanted`, places along an axis, as little as possible apart, so that neighbors keep a distance; same order.
std::vector<double> spread_apart(const std::vector<double>& wanted, double distance, double least, double most);

} // namespace loam
