#include "particles/shapes/distance_grid.h"

#include <limits>

#include "base/parallel.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

constexpr std::size_t many_blocks = 20'000; // 60 MB; with more of them the cells get twice as wide
constexpr double most_blocks_per_axis = 120;
constexpr double band_cells = 4; // on both sides of the surface distances are accurate
constexpr double root3 = 1.7320508075688772;

// Value with the sign that continues a neighbor's: the surface lies between two samples only if it is nearer than their
// distance, so most samples need no inside test.
double with_sign(const DistanceSource& source, const Vec3d& at, double neighbor, double step) {
    const double reach = step * (1 + 1e-6);
    const int sign = std::abs(neighbor) <= reach ? 0 : neighbor < 0 ? -1 : 1;
    return source.distance(at, std::abs(neighbor) + reach, sign);
}

double from_scratch(const DistanceSource& source, const Vec3d& at) {
    return source.distance(at, std::numeric_limits<double>::infinity(), 0);
}

double mix(double a, double b, double t) { return a + (b - a) * t; }

} // namespace

DistanceGrid::DistanceGrid(const DistanceSource& source, const Bounds& surface, double spacing) {
    std::vector<Index> blocks;
    for (double share : {0.5, 1.0}) {
        lay_out(surface, spacing, share);
        blocks = sample_corners(source);
        if (blocks.size() <= many_blocks) break;
    }
    fine_.assign(static_cast<std::size_t>(count_[0]) * count_[1] * count_[2], -1);
    values_.resize(blocks.size() * nodes_per_block);
    parallel_blocks(blocks.size(), 4, [&](Range range, std::size_t) {
        for (std::size_t i = range.begin; i < range.end; ++i) {
            fine_[block_index(blocks[i][0], blocks[i][1], blocks[i][2])] = static_cast<std::int32_t>(i);
            sample_block(source, blocks[i], &values_[i * nodes_per_block]);
        }
    });
}

void DistanceGrid::lay_out(const Bounds& surface, double spacing, double share) {
    const double margin = 4 * spacing;
    const Vec3d size = surface.grown(margin).size();
    cell_ = std::max(share * spacing, std::max({size.x, size.y, size.z}) / (most_blocks_per_axis * cells));
    block_ = cells * cell_;
    bounds_.lo = surface.lo - Vec3d{margin, margin, margin};
    for (std::size_t axis = 0; axis < 3; ++axis)
        count_[axis] = std::max(1, static_cast<int>(std::ceil(size[axis] / block_)));
    bounds_.hi = bounds_.lo + block_ * Vec3d{double(count_[0]), double(count_[1]), double(count_[2])};
}

std::vector<DistanceGrid::Index> DistanceGrid::sample_corners(const DistanceSource& source) {
    corners_.resize(corner_index(count_[0], count_[1], count_[2]) + 1);
    const std::size_t columns = static_cast<std::size_t>(count_[1] + 1) * (count_[2] + 1);
    parallel_blocks(columns, 8, [&](Range range, std::size_t) {
        for (std::size_t column = range.begin; column < range.end; ++column) {
            const int y = static_cast<int>(column % (count_[1] + 1)), z = static_cast<int>(column / (count_[1] + 1));
            double previous = from_scratch(source, corner_position(0, y, z));
            for (int x = 0; x <= count_[0]; ++x) {
                if (x > 0) previous = with_sign(source, corner_position(x, y, z), previous, block_);
                corners_[corner_index(x, y, z)] = static_cast<float>(previous);
            }
        }
    });
    // The surface passes through a block only within half a diagonal of its middle.
    const double reach = 0.5 * root3 * block_ + band_cells * cell_;
    const std::size_t total = block_index(count_[0] - 1, count_[1] - 1, count_[2] - 1) + 1;
    std::vector<char> is_near(total, 0);
    const auto block = [this](std::size_t n) {
        const auto i = static_cast<int>(n % count_[0]), j = static_cast<int>(n / count_[0] % count_[1]);
        return Index{i, j, static_cast<int>(n / count_[0] / count_[1])};
    };
    parallel_blocks(total, 64, [&](Range range, std::size_t) {
        for (std::size_t n = range.begin; n < range.end; ++n) {
            const auto [x, y, z] = block(n);
            const double corner = corners_[corner_index(x, y, z)];
            if (std::abs(corner) > reach + 0.5 * root3 * block_) continue;
            const Vec3d middle = corner_position(x, y, z) + 0.5 * block_ * Vec3d{1, 1, 1};
            is_near[n] = std::abs(with_sign(source, middle, corner, 0.5 * root3 * block_)) < reach;
        }
    });
    std::vector<Index> near;
    for (std::size_t n = 0; n < total; ++n)
        if (is_near[n]) near.push_back(block(n));
    return near;
}

// Every other node first. Between them, nodes away from the surface are interpolated, the others sampled too.
void DistanceGrid::sample_block(const DistanceSource& source, const Index& block, float* values) const {
    const Vec3d origin = corner_position(block[0], block[1], block[2]);
    const auto value = [values](int x, int y, int z) -> float& { return values[x + nodes * (y + nodes * z)]; };
    const auto node = [&](int x, int y, int z) { return origin + cell_ * Vec3d{double(x), double(y), double(z)}; };
    for (int z = 0; z < nodes; z += 2)
        for (int y = 0; y < nodes; y += 2)
            for (int x = 0; x < nodes; x += 2) {
                const Vec3d at = node(x, y, z);
                const double d = x > 0   ? with_sign(source, at, value(x - 2, y, z), 2 * cell_)
                                 : y > 0 ? with_sign(source, at, value(x, y - 2, z), 2 * cell_)
                                 : z > 0 ? with_sign(source, at, value(x, y, z - 2), 2 * cell_)
                                         : from_scratch(source, at);
                value(x, y, z) = static_cast<float>(d);
            }
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y)
            for (int x = 0; x < nodes; ++x) {
                if (x % 2 == 0 && y % 2 == 0 && z % 2 == 0) continue;
                double sum = 0, least = std::numeric_limits<double>::infinity();
                for (int c = 0; c < 8; ++c) { // the even nodes around; the same one twice where a coordinate is even
                    const int i = c & 1 ? x + x % 2 : x - x % 2, j = c & 2 ? y + y % 2 : y - y % 2;
                    const double d = value(i, j, c & 4 ? z + z % 2 : z - z % 2);
                    sum += d, least = std::min(least, std::abs(d));
                }
                const float first = value(x - x % 2, y - y % 2, z - z % 2);
                const bool away = least > (band_cells + 1) * cell_;
                value(x, y, z) =
                    static_cast<float>(away ? sum / 8 : with_sign(source, node(x, y, z), first, root3 * cell_));
            }
}

std::size_t DistanceGrid::corner_index(int x, int y, int z) const {
    return x + static_cast<std::size_t>(count_[0] + 1) * (y + static_cast<std::size_t>(count_[1] + 1) * z);
}

std::size_t DistanceGrid::block_index(int x, int y, int z) const {
    return x + static_cast<std::size_t>(count_[0]) * (y + static_cast<std::size_t>(count_[1]) * z);
}

Vec3d DistanceGrid::corner_position(int x, int y, int z) const {
    return bounds_.lo + block_ * Vec3d{double(x), double(y), double(z)};
}

double DistanceGrid::distance(const Vec3d& at) const {
    const Vec3d near = min(bounds_.hi, max(bounds_.lo, at)); // in this order a NaN goes to the corner
    const double d = within(near);
    if (near == at) return d;
    // The angle at `near` between `at` and any point of the surface is 90 degrees or more: this is a lower bound.
    const Vec3d off = at - near;
    return std::sqrt(std::max(0.0, d) * std::max(0.0, d) + dot(off, off));
}

double DistanceGrid::within(const Vec3d& at) const {
    const Vec3d p = (at - bounds_.lo) / block_;
    const int bx = std::clamp(static_cast<int>(p.x), 0, count_[0] - 1);
    const int by = std::clamp(static_cast<int>(p.y), 0, count_[1] - 1);
    const int bz = std::clamp(static_cast<int>(p.z), 0, count_[2] - 1);
    double u = p.x - bx, v = p.y - by, w = p.z - bz;
    const std::int32_t fine = fine_[block_index(bx, by, bz)];
    const float* base = nullptr;
    std::size_t dy = 0, dz = 0;
    if (fine < 0) {
        base = &corners_[corner_index(bx, by, bz)];
        dy = count_[0] + 1, dz = dy * (count_[1] + 1);
    } else {
        const int x = std::clamp(static_cast<int>(u * cells), 0, cells - 1);
        const int y = std::clamp(static_cast<int>(v * cells), 0, cells - 1);
        const int z = std::clamp(static_cast<int>(w * cells), 0, cells - 1);
        u = u * cells - x, v = v * cells - y, w = w * cells - z;
        dy = nodes, dz = dy * nodes;
        base = &values_[static_cast<std::size_t>(fine) * nodes_per_block + x + y * dy + z * dz];
    }
    const double front = mix(mix(base[0], base[1], u), mix(base[dy], base[dy + 1], u), v);
    const double back = mix(mix(base[dz], base[dz + 1], u), mix(base[dz + dy], base[dz + dy + 1], u), v);
    return mix(front, back, w);
}

Vec3d DistanceGrid::gradient(const Vec3d& at) const {
    const double step = 0.5 * cell_;
    Vec3d g;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3d ahead = at, behind = at;
        ahead[axis] += step, behind[axis] -= step;
        g[axis] = (distance(ahead) - distance(behind)) / (2 * step);
    }
    return g;
}

std::size_t DistanceGrid::memory() const {
    return sizeof(float) * (corners_.size() + values_.size()) + sizeof(std::int32_t) * fine_.size();
}

namespace {

class ShapeSource final : public DistanceSource {
public:
    explicit ShapeSource(const Shape& shape) : shape_(shape) {}
    double distance(const Vec3d& at, double, int) const override { return shape_.distance(at); }

private:
    const Shape& shape_;
};

class GridShape final : public Shape {
public:
    GridShape(const DistanceSource& source, const Bounds& bounds, double spacing)
        : bounds_(bounds), grid_(source, bounds, spacing) {}
    double distance(const Vec3d& at) const override { return grid_.distance(at); }
    Bounds bounds() const override { return bounds_; }
    Vec3d normal(const Vec3d& at) const override {
        const Vec3d n = normalized(grid_.gradient(at));
        return n == Vec3d{} ? Vec3d{0, 1, 0} : n;
    }

private:
    Bounds bounds_;
    DistanceGrid grid_;
};

} // namespace

ShapePtr grid_shape(const DistanceSource& source, const Bounds& bounds, double spacing) {
    return std::make_shared<GridShape>(source, bounds, spacing);
}

ShapePtr cached(const ShapePtr& shape, double spacing) {
    return grid_shape(ShapeSource(*shape), shape->bounds(), spacing);
}

} // namespace loam
