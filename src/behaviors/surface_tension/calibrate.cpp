#include "behaviors/surface_tension/calibrate.h"

#include <cmath>
#include <numbers>

#include "passes/lattice.h"

namespace loam {
namespace {

// |G| of a particle with `below` layers of a lattice between it and the surface.
double color_gradient(const Kernel& kernel, double spacing, int below) {
    double sum = 0; // of the layers that are missing, which would have cancelled those opposite
    for (int layer = below + 1; layer <= lattice_reach(kernel, spacing); ++layer)
        each_layer_point(kernel, spacing, [&](int a, int b) {
            const double r = spacing * std::sqrt(layer * layer + a * a + b * b);
            sum -= kernel_slope(kernel, r) * layer * spacing;
        });
    return sum * lattice_volume(kernel, spacing);
}

} // namespace

double area_scale(const Kernel& kernel, double spacing) {
    double sum = 0;
    for (int below = 0; below < lattice_reach(kernel, spacing); ++below)
        sum += spacing * color_gradient(kernel, spacing, below);
    return 1 / sum;
}

double cohesion_scale(const Kernel& kernel) {
    const int steps = 2000;
    const double step = kernel.support / steps;
    const int power = kernel.dimensions == 3 ? 5 : 4;
    double integral = 0;
    for (int k = 0; k < steps; ++k) {
        const double r = (k + 0.5) * step;
        integral += step * std::pow(r, power) * kernel_value(kernel, r);
    }
    return 1 / (integral * (kernel.dimensions == 3 ? std::numbers::pi / 8 : 1.0 / 3));
}

double kernel_variance(const Kernel& kernel, double spacing) {
    double sum = 0, squares = 0;
    each_lattice_point(kernel, spacing, [&](int a, int b, int c) {
        const double w = kernel_value(kernel, spacing * std::sqrt(a * a + b * b + c * c));
        sum += w;
        squares += w * a * a * spacing * spacing;
    });
    return squares / sum;
}

} // namespace loam
