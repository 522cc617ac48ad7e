#include "picture/dye.h"

#include <algorithm>
#include <cmath>

namespace loam {
namespace {

constexpr std::int64_t reach = 2; // of a particle, in cells

} // namespace

Dye::Dye(std::span<const Particle> particles, double spacing) {
    Bounds bounds;
    for (const Particle& particle : particles) bounds.add(particle.place);
    if (particles.empty()) return;
    double cell = spacing;
    for (std::size_t all = most_points + 1; all > most_points; cell *= 1.25) {
        all = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            count_[axis] = static_cast<std::int64_t>(bounds.size()[axis] / cell) + 2 * reach + 2;
            all *= static_cast<std::size_t>(count_[axis]);
        }
        cell_ = static_cast<float>(cell);
    }
    const double margin = static_cast<double>(reach) * cell_;
    const Vec3d corner = bounds.lo - Vec3d{margin, margin, margin};
    corner_ = {static_cast<float>(corner.x), static_cast<float>(corner.y), static_cast<float>(corner.z)};
    points_.resize(static_cast<std::size_t>(count_[0] * count_[1] * count_[2]));
    std::vector<float> weights(points_.size(), 0);
    for (const Particle& particle : particles) {
        const Vec3d place = (particle.place - corner) / static_cast<double>(cell_);
        std::array<std::int64_t, 3> lo{};
        for (std::size_t axis = 0; axis < 3; ++axis) lo[axis] = static_cast<std::int64_t>(place[axis]) - reach + 1;
        for (std::int64_t z = lo[2]; z < lo[2] + 2 * reach; ++z)
            for (std::int64_t y = lo[1]; y < lo[1] + 2 * reach; ++y)
                for (std::int64_t x = lo[0]; x < lo[0] + 2 * reach; ++x) {
                    const Vec3d way = Vec3d{double(x), double(y), double(z)} - place;
                    const double near = 1 - dot(way, way) / (reach * reach);
                    if (near <= 0) continue;
                    const auto point = static_cast<std::size_t>((z * count_[1] + y) * count_[0] + x);
                    const auto weight = static_cast<float>(near * near * near);
                    points_[point] += weight * particle.absorption, weights[point] += weight;
                }
    }
    for (std::size_t p = 0; p < points_.size(); ++p)
        if (weights[p] > 0) points_[p] *= 1 / weights[p];
}

Color Dye::at(const Vec3f& cells) const {
    std::array<std::int64_t, 3> lo{};
    Vec3f part;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        lo[axis] = static_cast<std::int64_t>(std::floor(cells[axis]));
        if (lo[axis] < 0 || lo[axis] + 1 >= count_[axis]) return {};
        part[axis] = cells[axis] - static_cast<float>(lo[axis]);
    }
    Color sum;
    for (int corner = 0; corner < 8; ++corner) {
        const int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
        const float weight = (i ? part.x : 1 - part.x) * (j ? part.y : 1 - part.y) * (k ? part.z : 1 - part.z);
        sum +=
            weight * points_[static_cast<std::size_t>(((lo[2] + k) * count_[1] + lo[1] + j) * count_[0] + lo[0] + i)];
    }
    return sum;
}

Color Dye::depth(const Ray& ray, float begin, float end) const {
    if (points_.empty() || !(end > begin)) return {};
    // Only where the grid is: a ray may go on for ever.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float size = cell_ * static_cast<float>(count_[axis] - 1), from = corner_[axis] - ray.from[axis];
        const float along = ray.direction[axis];
        if (std::abs(along) < 1e-12f) continue;
        const float a = from / along, b = (from + size) / along;
        begin = std::max(begin, std::min(a, b)), end = std::min(end, std::max(a, b));
    }
    if (!(end > begin)) return {};
    const int parts = static_cast<int>((end - begin) / (0.7f * cell_)) + 1;
    const float length = (end - begin) / static_cast<float>(parts);
    Color sum;
    for (int k = 0; k < parts; ++k) {
        const Vec3f place = ray.from + (begin + (static_cast<float>(k) + 0.5f) * length) * ray.direction;
        sum += at((1 / cell_) * (place - corner_));
    }
    return length * sum;
}

} // namespace loam
