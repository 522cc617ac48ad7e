#include "passes/kernel.h"

#include <cmath>
#include <numbers>

#include "passes/lattice.h"

namespace loam {
namespace {

using real = double;
#define LAW inline
real positive_part(real x) { return x > 0 ? x : 0; }
#include "passes/kernel.law.h"
#undef LAW

double sigma(KernelKind kind, int dimensions) {
    const double pi = std::numbers::pi;
    const bool flat = dimensions == 2;
    switch (kind) {
    case KERNEL_CUBIC: return flat ? 40 / (7 * pi) : 8 / pi;
    case KERNEL_WENDLAND: return flat ? 7 / pi : 21 / (2 * pi);
    case KERNEL_POLY6: return flat ? 4 / pi : 315 / (64 * pi);
    case KERNEL_SPIKY: return flat ? 10 / pi : 15 / pi;
    default: return flat ? 10 / (3 * pi) : 15 / (2 * pi);
    }
}

// Below this the shapes that divide by q would overflow; the pair is one point for every purpose.
constexpr double least_q = 1e-6;

} // namespace

Kernel make_kernel(KernelKind kind, double support, int dimensions) {
    const double scale = sigma(kind, dimensions) / std::pow(support, dimensions);
    return {kind,
            dimensions,
            static_cast<float>(support),
            static_cast<float>(1 / support),
            static_cast<float>(scale),
            static_cast<float>(scale / (support * support))};
}

const std::vector<std::string>& kernel_names() {
    static const std::vector<std::string> names{"cubic", "wendland", "poly6", "spiky", "viscosity"};
    return names;
}

bool kernel_by_name(std::string_view name, KernelKind& kind) {
    if (name == "desbrun") name = "spiky";
    for (std::size_t i = 0; i < kernel_names().size(); ++i)
        if (kernel_names()[i] == name) return kind = static_cast<KernelKind>(i), true;
    return false;
}

double kernel_value(const Kernel& k, double r) {
    const double q = std::max(r / k.support, least_q);
    return k.value_scale * kernel_shape(k.kind, q, 1 / q);
}

double kernel_slope(const Kernel& k, double r) {
    const double q = std::max(r / k.support, least_q);
    return k.slope_scale * kernel_slope_shape(k.kind, q, 1 / q);
}

double kernel_laplacian(const Kernel& k, double r) {
    const double q = std::max(r / k.support, least_q);
    return k.slope_scale *
           (kernel_curvature_shape(k.kind, q, 1 / q) + (k.dimensions - 1) * kernel_slope_shape(k.kind, q, 1 / q));
}

double lattice_volume(const Kernel& k, double spacing) {
    double sum = 0;
    each_lattice_point(
        k, spacing, [&](int a, int b, int c) { sum += kernel_value(k, spacing * std::sqrt(a * a + b * b + c * c)); });
    return 1 / sum;
}

WallKernel fit_to_walls(const Kernel& k, double spacing) {
    double value = 0, slope = 0;             // of the half lattice, one spacing above it
    double layer_value = 0, layer_slope = 0; // of its first layer
    for (int d = 1; d <= lattice_reach(k, spacing); ++d)
        each_layer_point(k, spacing, [&](int a, int b) {
            const double r = spacing * std::sqrt(d * d + a * a + b * b);
            const double w = kernel_value(k, r), s = kernel_slope(k, r) * d * spacing;
            value += w, slope += s;
            if (d == 1) layer_value += w, layer_slope += s;
        });
    // At t = 1: f = scale, and df/dt = power scale.
    const double span = k.support - spacing, scale = value / layer_value;
    const double power = span * (layer_slope / layer_value - 2 * slope / value);
    return {static_cast<float>(scale * (4 - power)), static_cast<float>(scale * (power - 3)), k.support,
            static_cast<float>(1 / span)};
}

// One spacing above the half lattice, sums of f W and of its slope are those of W, and twice those.
SolidKernel fit_to_solids(const Kernel& k, double spacing) {
    const double span = k.support - spacing;
    double value = 0, slope = 0, values[2]{}, slopes[2]{}; // of W; of t^3 W and t^4 W
    for (int d = 1; d <= lattice_reach(k, spacing); ++d)
        each_layer_point(k, spacing, [&](int a, int b) {
            const double r = spacing * std::sqrt(d * d + a * a + b * b), along = d * spacing / r;
            if (r >= k.support) return;
            const double w = kernel_value(k, r), s = kernel_slope(k, r) * r, t = (k.support - r) / span;
            value += w, slope += s * along;
            for (int n = 0; n < 2; ++n) {
                values[n] += std::pow(t, 3 + n) * w;
                slopes[n] += (std::pow(t, 3 + n) * s - (3 + n) * std::pow(t, 2 + n) / span * w) * along;
            }
        });
    const double determinant = values[0] * slopes[1] - values[1] * slopes[0];
    const double full = (value * slopes[1] - 2 * slope * values[1]) / determinant;
    const double extra = (2 * slope * values[0] - value * slopes[0]) / determinant;
    constexpr double nearest = 0.85;
    return {static_cast<float>(full), static_cast<float>(extra), k.support, static_cast<float>(1 / span),
            static_cast<float>(nearest * spacing)};
}

} // namespace loam
