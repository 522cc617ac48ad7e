#include "base/track.h"

#include <algorithm>
#include <cmath>

namespace loam {
namespace {

// The parameter s in [0, 1] at which the Bezier curve with these abscissae is at x. They grow, so halving finds it.
double parameter_at(double x, double x0, double x1, double x2, double x3) {
    double lo = 0, hi = 1;
    for (int round = 0; round < 60; ++round) {
        const double s = 0.5 * (lo + hi), t = 1 - s;
        const double here = t * t * t * x0 + 3 * t * t * s * x1 + 3 * t * s * s * x2 + s * s * s * x3;
        (here < x ? lo : hi) = s;
    }
    return 0.5 * (lo + hi);
}

// The largest size of a parabola in an interval, by its values at the ends and in the middle.
double most_of_parabola(double left, double middle, double right) {
    double most = std::max(std::abs(left), std::abs(right));
    const double bend = 0.5 * (left + right) - middle, tilt = 0.5 * (right - left);
    if (std::abs(tilt) < 2 * std::abs(bend)) most = std::max(most, std::abs(middle - tilt * tilt / (4 * bend)));
    return most;
}

} // namespace

const std::vector<std::string>& driver_names() {
    static const std::vector<std::string> names{"time",     "temperature", "melted", "saturation", "concentration",
                                                "pressure", "height",      "speed",  "age"};
    return names;
}

const char* driver_unit(Driver driver) {
    switch (driver) {
    case Driver::time:
    case Driver::age: return "s";
    case Driver::temperature: return "K";
    case Driver::melted:
    case Driver::saturation:
    case Driver::concentration: return "";
    case Driver::pressure: return "Pa";
    case Driver::height: return "m";
    case Driver::speed: return "m/s";
    }
    return "";
}

const std::vector<std::string>& interpolation_names() {
    static const std::vector<std::string> names{"step", "linear", "smooth", "bezier"};
    return names;
}

Vec3d Track::at(double where) const { return sample(where).value; }
Vec3d Track::rate(double where) const { return sample(where).rate; }

Track::Sample Track::sample(double where) const {
    if (keys.empty()) return {};
    if (where < keys.front().at) return {keys.front().value, {}};
    if (where >= keys.back().at) return {keys.back().value, {}};
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), where, [](double x, const Key& key) { return x < key.at; });
    return between(static_cast<std::size_t>(next - keys.begin()) - 1, where);
}

// Slope at a key of a monotone cubic (Fritsch & Butland 1984): zero at ends and extremes, so nothing overshoots. Next
// to a stretch that is not smooth it is an end too.
double Track::slope_at(std::size_t i, std::size_t component) const {
    if (i == 0 || i + 1 == keys.size()) return 0;
    if (keys[i - 1].to_next != Interpolation::smooth || keys[i].to_next != Interpolation::smooth) return 0;
    const double before = keys[i].at - keys[i - 1].at, after = keys[i + 1].at - keys[i].at;
    const double here = keys[i].value[component];
    const double left = (here - keys[i - 1].value[component]) / before;
    const double right = (keys[i + 1].value[component] - here) / after;
    if (left * right <= 0) return 0;
    return 3 * (before + after) / ((2 * after + before) / left + (after + 2 * before) / right);
}

Track::Sample Track::between(std::size_t i, double where) const {
    const Key &a = keys[i], &b = keys[i + 1];
    const double span = b.at - a.at, s = (where - a.at) / span;
    const Vec3d rise = b.value - a.value;
    Sample sample;
    switch (a.to_next) {
    case Interpolation::step: sample.value = a.value; break;
    case Interpolation::linear: sample = {a.value + s * rise, rise / span}; break;
    case Interpolation::smooth:
        for (std::size_t k = 0; k != 3; ++k) {
            const double u = slope_at(i, k) * span, v = slope_at(i + 1, k) * span;
            const double second = 3 * rise[k] - 2 * u - v, third = u + v - 2 * rise[k];
            sample.value[k] = a.value[k] + s * (u + s * (second + s * third));
            sample.rate[k] = (u + s * (2 * second + s * 3 * third)) / span;
        }
        break;
    case Interpolation::bezier: {
        // Handles that reach beyond the other key would make the curve turn back: they are cut there.
        const double x1 = a.at + std::clamp(a.out.at, 0.0, span), x2 = b.at + std::clamp(b.in.at, -span, 0.0);
        const double y0 = a.value.x, y1 = y0 + a.out.value, y3 = b.value.x, y2 = y3 + b.in.value;
        const double p = parameter_at(where, a.at, x1, x2, b.at), q = 1 - p;
        sample.value.x = q * q * q * y0 + 3 * q * q * p * y1 + 3 * q * p * p * y2 + p * p * p * y3;
        const double dx = q * q * (x1 - a.at) + 2 * q * p * (x2 - x1) + p * p * (b.at - x2);
        const double dy = q * q * (y1 - y0) + 2 * q * p * (y2 - y1) + p * p * (y3 - y2);
        sample.rate.x = dx > 1e-12 * span ? dy / dx : 0;
        break;
    }
    }
    return sample;
}

double Track::steepest(double from, double to) const {
    double most = 0;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
        const Key &a = keys[i], &b = keys[i + 1];
        if (b.at < from || a.at > to || a.to_next == Interpolation::step) continue;
        const double line = length(b.value - a.value) / (b.at - a.at);
        if (a.to_next == Interpolation::linear) most = std::max(most, line);
        if (a.to_next == Interpolation::smooth) { // the rate of a cubic is a parabola
            const double first = std::max(from, a.at), last = std::min(to, b.at);
            const Vec3d left = between(i, first).rate, middle = between(i, 0.5 * (first + last)).rate;
            const Vec3d right = between(i, last).rate;
            Vec3d bound;
            for (std::size_t k = 0; k != 3; ++k) bound[k] = most_of_parabola(left[k], middle[k], right[k]);
            most = std::max(most, length(bound));
        }
        if (a.to_next == Interpolation::bezier)
            for (int k = 0; k <= 64; ++k)
                most = std::max(most, 1.1 * std::abs(between(i, a.at + (b.at - a.at) * k / 64.0).rate.x));
    }
    return most;
}

// Piece by piece, by Gauss's rule with three points: exact for all but Bezier curves.
double Track::integral(double from, double to) const {
    if (keys.empty() || !(to > from)) return 0;
    std::vector<double> ends{from};
    for (const Key& key : keys)
        if (key.at > from && key.at < to) ends.push_back(key.at);
    ends.push_back(to);
    double sum = 0;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double middle = 0.5 * (ends[i] + ends[i + 1]), half = 0.5 * (ends[i + 1] - ends[i]);
        const double off = std::sqrt(0.6) * half;
        sum += half / 9 * (5 * at(middle - off).x + 8 * at(middle).x + 5 * at(middle + off).x);
    }
    return sum;
}

} // namespace loam
