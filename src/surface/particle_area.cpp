#include "surface/particle_area.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "passes/kernel.h"

namespace loam {
namespace {

// Of a lattice with its surface half a spacing above the outermost layer. The layers k below and m above it are
// k + m + 1 spacings apart, so those z spacings apart are met z times.
double missed_by_column(const Cloud& cloud) {
    const double spacing = cloud.spacing(), reach = cloud.neighbor_reach();
    const int dimensions = cloud.flat() ? 2 : 3, most = static_cast<int>(std::ceil(reach / spacing));
    const Kernel kernel = make_kernel(KERNEL_CUBIC, reach, dimensions);
    double sum = 0;
    for (int z = 1; z <= most; ++z)
        for (int x = -most; x <= most; ++x)
            for (int y = cloud.flat() ? 0 : -most; y <= (cloud.flat() ? 0 : most); ++y) {
                const double r = spacing * std::sqrt(double(x * x + y * y + z * z));
                if (r < reach) sum += z * kernel_value(kernel, static_cast<float>(r));
            }
    return spacing * lattice_volume(kernel, spacing) * sum;
}

} // namespace

double particle_area(const Cloud& cloud) {
    const double spacing = cloud.spacing(), one = spacing * spacing * spacing;
    const double missed = parallel_reduce(
        cloud.size(), 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                if (!cloud.exposed(i)) continue; // inside, crowding differs a little from 1 either way
                const double s = cloud.places()[i].w;
                sum += (cloud.flat() ? s * s : s * s * s) * std::max(0.0, 1.0 - cloud.density()[i]);
            }
            return sum;
        },
        [](double a, double b) { return a + b; });
    const double sides = one * missed / missed_by_column(cloud);
    return cloud.flat() ? sides + 2 * cloud.particles().volume() / spacing : sides;
}

} // namespace loam
