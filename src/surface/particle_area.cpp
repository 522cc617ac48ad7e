#include "surface/particle_area.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace loam {
namespace {

struct LatticeSums {
    double all = 1;    // sum of w, the particle itself included
    double column = 0; // what one column of particles misses below a flat surface
};

// The layers k below and m above a surface are k + m + 1 spacings apart, so those z spacings apart are met z times.
LatticeSums lattice_sums(bool flat) {
    constexpr int reach = 2; // spacings
    const int deep = flat ? 0 : reach;
    LatticeSums sums;
    for (int z = -reach; z <= reach; ++z)
        for (int x = -reach; x <= reach; ++x)
            for (int y = -deep; y <= deep; ++y) {
                const double q = std::sqrt(double(x * x + y * y + z * z)) / reach, w = std::max(0.0, 1 - q * q * q);
                if (q > 0) sums.all += w;
                if (z > 0) sums.column += z * w;
            }
    return sums;
}

} // namespace

double particle_area(const Cloud& cloud) {
    std::vector<std::uint32_t> exposed; // inside, crowding differs a little from that of a lattice either way
    for (std::uint32_t i = 0; i < cloud.size(); ++i)
        if (cloud.exposed(i)) exposed.push_back(i);
    const std::vector<float> moments = cloud.moments_of(exposed);
    const LatticeSums lattice = lattice_sums(cloud.flat());
    const double missed = parallel_reduce(
        exposed.size(), 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t k = range.begin; k != range.end; ++k) {
                const double s = cloud.places()[exposed[k]].w;
                sum += (cloud.flat() ? s : s * s) * std::max(0.0, lattice.all - moments[10 * k]);
            }
            return sum;
        },
        [](double a, double b) { return a + b; });
    const double spacing = cloud.spacing(), sides = spacing * spacing * missed / lattice.column;
    return cloud.flat() ? sides + 2 * cloud.particles().volume() / spacing : sides;
}

} // namespace loam
