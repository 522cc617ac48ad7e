#include "behaviors/porous/pores.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loam {
namespace {

constexpr double stiffness = 1e9;       // of water in full pores [Pa]; it has 2.2e9, and a little air
constexpr double least_strength = 1e-3; // [Pa]

double leverett(double x) { return x * (1.417 + x * (-2.120 + x * 1.263)); }
double leverett_slope(double x) { return 1.417 + x * (-4.240 + x * 3.789); }
constexpr double dry_leverett = 1.417 - 2.120 + 1.263;

// x so that J = y; J is steepest at the ends and never flat.
double inverse_leverett(double y) {
    double x = std::clamp(y / 0.8, 0.0, 1.0);
    for (int round = 0; round < 8; ++round) x -= (leverett(x) - y) / leverett_slope(x);
    return x;
}

} // namespace

Pores Pores::of(const Values& values) {
    Pores pores;
    pores.porosity = values.number("porosity");
    pores.permeability = values.number("permeability");
    pores.axes = values.vector("axes");
    pores.viscosity = values.number("viscosity");
    pores.filling = values.number("filling");
    pores.exponent_ = values.number("exponent");
    pores.strength_ = values.number("capillary");
    if (values.text("model") == "leverett") {
        pores.model_ = Model::leverett;
        pores.strength_ =
            dry_leverett * values.number("tension") / std::sqrt(std::max(pores.permeability, 1e-20) / pores.porosity);
    }
    pores.strength_ = std::max(pores.strength_, least_strength);
    return pores;
}

Pores::Filling Pores::at(double potential, double fineness) const {
    if (potential >= 0) return {1 + potential / stiffness, 1 / stiffness};
    const double strength = fineness * strength_, y = -potential / strength; // 1 for dry pores
    const double within = std::min(y, 1.0);
    double x = 0, slope = 0; // 1 - S, and its change with y
    if (model_ == Model::power) {
        const double steep = 1 / exponent_;
        x = std::pow(within, steep);
        slope = within > 0 ? steep * x / within : 0;
    } else {
        x = inverse_leverett(dry_leverett * within);
        slope = dry_leverett / leverett_slope(x);
    }
    return {1 - x - (y - within) * slope, std::max(slope / strength, 1 / stiffness)};
}

double Pores::potential(double saturation, double fineness) const {
    if (saturation >= 1) return (saturation - 1) * stiffness;
    const double x = std::min(1 - saturation, 1.0);
    return -fineness * strength_ * (model_ == Model::power ? std::pow(x, exponent_) : leverett(x) / dry_leverett);
}

double Pores::soaking_time(double depth) const {
    constexpr int parts = 1000;
    double drive = 0;
    for (int k = 0; k < parts; ++k) {
        const double suction = (k + 0.5) / parts * strength_;
        drive += mobility(at(-suction).saturation) * strength_ / parts;
    }
    return 0.5 * depth * depth * porosity / (conductivity() * drive);
}

double Pores::draining_time(double height, double weight) const {
    const double left = height - strength_ / weight; // above what suction carries
    return left > 0 ? left * porosity / (conductivity() * weight) : std::numeric_limits<double>::infinity();
}

double Pores::mobility(double saturation) const { return std::pow(std::clamp(saturation, 0.0, 1.0), filling); }

} // namespace loam
