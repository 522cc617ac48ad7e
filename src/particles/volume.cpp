#include <algorithm>
#include <cmath>
#include <functional>

#include "base/parallel.h"
#include "particles/sampling.h"

namespace loam {
namespace {

constexpr double finer = 4;
constexpr double most_points = 1e8; // along with which a body is so fine that its particles tell its volume

} // namespace

double volume_of(const Shape& shape, double spacing, int dimensions) {
    const Bounds box = shape.bounds();
    const bool flat = dimensions == 2;
    double step = spacing / finer;
    const auto along = [&](double length) { return std::max(1.0, std::ceil(length / step - 1e-9)); };
    while (along(box.size().x) * along(box.size().y) * (flat ? 1 : along(box.size().z)) > most_points) step *= 2;
    const auto nx = static_cast<std::size_t>(along(box.size().x)), ny = static_cast<std::size_t>(along(box.size().y)),
               nz = flat ? 1 : static_cast<std::size_t>(along(box.size().z));
    const auto inside = parallel_reduce(
        nx * ny * nz, 0.0,
        [&](Range range) {
            double cells = 0;
            for (std::size_t n = range.begin; n != range.end; ++n) {
                Vec3d p =
                    box.lo + step * Vec3d{double(n % nx) + 0.5, double(n / nx % ny) + 0.5, double(n / nx / ny) + 0.5};
                if (flat) p.z = 0;
                cells += std::clamp(0.5 - shape.distance(p) / step, 0.0, 1.0); // the share on this side of a flat face
            }
            return cells;
        },
        std::plus<double>{});
    return inside * (flat ? step * step : step * step * step);
}

} // namespace loam
