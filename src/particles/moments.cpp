#include "particles/moments.h"

#include <cmath>

#include "base/parallel.h"
#include "particles/cells.h"

namespace loam {
namespace {

constexpr double most_cells = 1e7;   // along with which a shape is so large that its detail does not matter
constexpr double least_across = 128; // of the smallest cells, along the longest side

// About a given place, so that they may be added.
struct Sums {
    double volume = 0;
    Vec3d first;
    Mat3 second;

    friend Sums operator+(const Sums& a, const Sums& b) {
        return {a.volume + b.volume, a.first + b.first, a.second + b.second};
    }
};

Sums of_cell(const CellBox& cell, double volume, const Vec3d& about, bool flat) {
    const Vec3d r = cell.center - about, s = cell.size;
    Mat3 own{{{s.x * s.x / 12, 0, 0}, {0, s.y * s.y / 12, 0}, {0, 0, flat ? 0 : s.z * s.z / 12}}};
    return {volume, volume * r, volume * (Mat3::outer(r, r) + own)};
}

Mat3 turned(const Mat3& m, const Placement& by) {
    Mat3 axes;
    for (std::size_t k = 0; k < 3; ++k)
        axes.row[k] = by.rotate({k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
    return axes.transposed() * m * axes;
}

} // namespace

Moments moments_of(const Shape& shape, double spacing, int dimensions) {
    if (Placement by; const Shape* own = shape.before_placed(by, dimensions)) {
        const Moments m = moments_of(*own, spacing / by.scale, dimensions);
        const double volume = std::pow(by.scale, dimensions);
        return {volume * m.volume, by.apply(m.center), volume * by.scale * by.scale * turned(m.spread, by)};
    }
    const bool flat = dimensions == 2;
    const Bounds box = shape.bounds();
    const Vec3d size = box.size();
    double step = spacing;
    const auto along = [&](double length) { return std::max(1.0, std::round(length / step)); };
    while (along(size.x) * along(size.y) * (flat ? 1 : along(size.z)) > most_cells) step *= 2;
    const double n[3]{along(size.x), along(size.y), flat ? 1 : along(size.z)};
    const Vec3d cell{size.x / n[0], size.y / n[1], size.z / n[2]}, middle = box.center();
    int levels = 3;
    while (levels < 7 && std::max({n[0], n[1], n[2]}) * std::exp2(levels) < least_across) ++levels;
    const auto nx = static_cast<std::size_t>(n[0]), ny = static_cast<std::size_t>(n[1]);
    const Sums sums = parallel_reduce(
        nx * ny * static_cast<std::size_t>(n[2]), Sums{},
        [&](Range range) {
            Sums some;
            for (std::size_t c = range.begin; c != range.end; ++c) {
                const Vec3d at{double(c % nx) + 0.5, double(c / nx % ny) + 0.5, double(c / nx / ny) + 0.5};
                Vec3d center = box.lo + Vec3d{at.x * cell.x, at.y * cell.y, at.z * cell.z};
                if (flat) center.z = 0;
                each_cell(shape, {center, cell}, levels, flat, [&](const CellBox& part, double volume) {
                    some = some + of_cell(part, volume, middle, flat);
                });
            }
            return some;
        },
        [](const Sums& a, const Sums& b) { return a + b; });
    if (!(sums.volume > 0)) return {0, middle, {}};
    const Vec3d off = sums.first / sums.volume;
    return {sums.volume, middle + off, sums.second - sums.volume * Mat3::outer(off, off)};
}

} // namespace loam
