#include "plot/axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace loam {
namespace {

constexpr std::size_t most_marks = 7;

// On axes over many powers of ten only these are marked, every one or every few.
std::vector<double> thinned(const std::vector<double>& marks) {
    if (marks.size() <= most_marks) return marks;
    const int lowest = static_cast<int>(std::ceil(std::log10(marks.front()) - 1e-9));
    const int highest = static_cast<int>(std::floor(std::log10(marks.back()) + 1e-9));
    const int every = 1 + (highest - lowest) / static_cast<int>(most_marks);
    std::vector<double> powers;
    for (int power = lowest; power <= highest; power += every) powers.push_back(std::pow(10.0, power));
    return powers;
}

Axis logarithmic_axis(double least, double most) {
    if (!(least <= most) || !(least > 0)) least = 1, most = 10;
    std::vector<double> marks = round_numbers(least, most);
    if (marks.size() == 1) marks = round_numbers(least / 2, most * 2);
    return {.scale = Scale::logarithmic, .least = marks.front(), .most = marks.back(), .marks = thinned(marks)};
}

Axis linear_axis(Scale scale, double least, double most) {
    if (!(least <= most)) least = 0, most = 1;
    constexpr double rounding = 1e-9; // values that differ by less are one
    if (most - least <= rounding * std::max(std::abs(least), std::abs(most)))
        least = std::min(least, 0.0), most = most > least ? most : least + 1;
    std::vector<double> marks = even_numbers(least, most);
    if (scale == Scale::linear) return {.least = marks.front(), .most = marks.back(), .marks = marks};
    const double slack = 1e-9 * (most - least);
    std::erase_if(marks, [&](double mark) { return mark < least - slack || mark > most + slack; });
    return {.scale = scale, .least = least, .most = most, .marks = marks};
}

} // namespace

double Axis::place(double value) const {
    const double share = scale == Scale::logarithmic ? std::log(value / least) / std::log(most / least)
                                                     : (value - least) / (most - least);
    return from + (to - from) * share;
}

Axis make_axis(Scale scale, double least, double most, double from, double to) {
    Axis axis = scale == Scale::logarithmic ? logarithmic_axis(least, most) : linear_axis(scale, least, most);
    axis.from = from, axis.to = to;
    return axis;
}

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

std::vector<double> even_numbers(double least, double most, int count) {
    const double rough = (most - least) / count;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double digit : {5.0, 2.0, 1.0})
        if (digit * power >= rough * (1 - 1e-9)) step = digit * power;
    const double slack = 1e-9;
    const double first = std::floor(least / step + slack), last = std::ceil(most / step - slack);
    std::vector<double> numbers;
    for (double k = first; k <= last; ++k) numbers.push_back(k * step + 0.0); // no -0
    return numbers;
}

std::string short_number(double value) {
    const double size = std::abs(value);
    return size >= 1e6   ? fmt::format("{:g}M", value / 1e6)
           : size >= 1e4 ? fmt::format("{:g}k", value / 1e3)
                         : fmt::format("{:g}", value);
}

} // namespace loam
