// From values to places in a picture, and the round numbers that are marked on the way.
#pragma once

#include <string>
#include <vector>

namespace loam {

enum class Scale {
    linear,      // marks reach beyond the values
    tight,       // linear, ends with the values: for time
    logarithmic, // for positive values
};

struct Axis {
    Scale scale = Scale::linear;
    double least = 0, most = 1; // values at the ends
    double from = 0, to = 1;    // places of the ends
    std::vector<double> marks;

    double place(double value) const;
};

// An axis for values from `least` to `most`; both may be the same, and least > most when there are none.
Axis make_axis(Scale scale, double least, double most, double from, double to);

// Round numbers, 1, 2, 5 times powers of ten, from the last one not above `least` to the first one not below `most`.
std::vector<double> round_numbers(double least, double most);

// Multiples of 1, 2 or 5 times a power of ten, about `count` of them, from below `least` to above `most`.
std::vector<double> even_numbers(double least, double most, int count = 5);

// Moves `wanted`, places along an axis, as little as possible apart, so that neighbors keep a distance; same order.
std::vector<double> spread_apart(const std::vector<double>& wanted, double distance, double least, double most);

// 0.05, 250, 12k, 1.5M: for marks.
std::string short_number(double value);

} // namespace loam
