// A value keyed over a driver: time, or something that a particle has. Between keys it is joined by steps, straight
// lines, smooth curves or Bezier curves; before the first key and after the last it is held.
#pragma once

#include <string>
#include <vector>

#include "base/vec.h"

namespace loam {

// What keys are placed along. All but time are a particle's own, so that particles of one body may differ.
enum class Driver { time, temperature, melted, saturation, concentration, pressure, height, speed, age };
const std::vector<std::string>& driver_names(); // in the order of Driver
const char* driver_unit(Driver driver);

enum class Interpolation {
    step,   // holds the value until the next key
    linear, // a straight line
    smooth, // a monotone cubic: never overshoots, flat at extremes and at both ends
    bezier  // a cubic with the handles that the keys give
};
const std::vector<std::string>& interpolation_names(); // in the order of Interpolation

// Numbers are kept in x.
struct Key {
    struct Handle { // relative to its key; only used by bezier, for numbers
        double at = 0, value = 0;
    };
    double at = 0;
    Vec3d value;
    Interpolation to_next = Interpolation::linear;
    Handle in, out;
};

struct Track {
    Driver driver = Driver::time;
    std::vector<Key> keys; // `at` grows strictly
    std::string of{};      // of concentration: the solute; empty: all of them together

    bool empty() const { return keys.empty(); }
    Vec3d at(double where) const;
    Vec3d rate(double where) const;                // the derivative of at()
    double steepest(double from, double to) const; // a bound of |rate| there
    double integral(double from, double to) const; // of numbers

private:
    struct Sample {
        Vec3d value, rate;
    };
    Sample sample(double where) const;
    Sample between(std::size_t i, double where) const;
    double slope_at(std::size_t i, std::size_t component) const;
};

} // namespace loam
