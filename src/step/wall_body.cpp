#include "step/wall_body.h"

#include <cmath>
#include <limits>

#include "passes/lattice.h"

namespace loam {

double slip_of(const Values& boundary) {
    const std::string& slip = boundary.text("slip");
    return slip == "free" ? 0 : slip == "no" ? -1 : boundary.number("friction");
}

double contact_friction(const Values& boundary) {
    const std::string& slip = boundary.text("slip");
    return slip == "free" ? -1 : slip == "no" ? std::numeric_limits<double>::infinity() : boundary.number("friction");
}

bool WallBody::goes_on() const { return !shape->on_patch({1e9, 1.1e9, 1.2e9}); }

Result<std::vector<SurfacePoint>> cover_wall(const WallBody& wall, double spacing, int dimensions) {
    // Half a spacing below the surface: a fluid at rest stays half a spacing above it, so the lattice goes on.
    return cover(*wall.shape, spacing, 0.5 * spacing, wall.values.integer("layers"), dimensions);
}

double wall_volume_scale(const Kernel& kernel, double spacing, int layers) {
    double sum = 0;
    for (int layer = 0; layer < layers; ++layer)
        each_layer_point(kernel, spacing, [&](int a, int b) {
            sum += kernel_value(kernel, spacing * std::sqrt(layer * layer + a * a + b * b));
        });
    return sum * lattice_volume(kernel, spacing);
}

} // namespace loam
