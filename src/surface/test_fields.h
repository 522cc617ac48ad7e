// For the tests of this folder: fields from formulas, and clouds of particles.
#pragma once

#include <cmath>
#include <random>

#include "surface/cloud.h"
#include "surface/sparse_field.h"

namespace loam::test {

// value(position) at the nodes of all blocks that meet the box.
template <class Value> SparseField field_of(const Bounds& box, double cell, const Value& value) {
    SparseField field{.cell = cell};
    const double edge = block_edge * cell;
    const auto at = [&](double x) { return static_cast<std::int32_t>(std::floor(x / edge)); };
    for (std::int32_t z = at(box.lo.z); z <= at(box.hi.z); ++z)
        for (std::int32_t y = at(box.lo.y); y <= at(box.hi.y); ++y)
            for (std::int32_t x = at(box.lo.x); x <= at(box.hi.x); ++x) field.keys.push_back(key_of({x, y, z}));
    sort_unique(field.keys);
    for (std::size_t b = 0; b < field.keys.size(); ++b)
        for (int n = 0; n < static_cast<int>(block_nodes); ++n) {
            const Vec3d node{double(n % 8), double(n / 8 % 8), double(n / 64)};
            field.values.push_back(static_cast<float>(value(field.origin(b) + cell * node)));
        }
    return field;
}

// Particles on a lattice inside of a region, moved at random by up to `jitter` spacings.
template <class Inside>
SurfaceParticles lattice(double spacing, const Bounds& box, double jitter, const Inside& inside) {
    SurfaceParticles particles{.radius = spacing / 2};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto count = [&](double from, double to) { return static_cast<int>(std::lround((to - from) / spacing)); };
    const Vec3d size = box.size();
    for (int z = 0; z < count(0, size.z); ++z)
        for (int y = 0; y < count(0, size.y); ++y)
            for (int x = 0; x < count(0, size.x); ++x) {
                const Vec3d p = box.lo + spacing * Vec3d{x + 0.5, y + 0.5, z + 0.5};
                const Vec3d moved = p + jitter * spacing * Vec3d{unit(random), unit(random), unit(random)};
                if (inside(p)) particles.positions.push_back(moved);
            }
    return particles;
}

inline SurfaceParticles ball(double radius, double spacing, double jitter = 0) {
    const double r = std::ceil(radius / spacing) * spacing;
    return lattice(spacing, {{-r, -r, -r}, {r, r, r}}, jitter, [&](const Vec3d& p) { return length(p) < radius; });
}

} // namespace loam::test
