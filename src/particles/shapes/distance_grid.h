// Signed distances kept on a grid: blocks of 8^3 cells where the surface is near, one value per block corner elsewhere.
// Reading is a trilinear interpolation, the same cost for a mesh of ten triangles and of ten million.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/vec.h"
#include "particles/shape.h"

namespace loam {

// The slow distance that is copied.
class DistanceSource {
public:
    virtual ~DistanceSource() = default;
    // The distance, negative inside. Known already: it is within `at_most` of zero, and its sign unless that is 0.
    virtual double distance(const Vec3d& at, double at_most, int sign) const = 0;
};

class DistanceGrid {
public:
    // `surface` contains the surface. Cells are half a spacing wide, or a spacing when that needs too much memory, or
    // wider still for a surface of more than a thousand spacings.
    DistanceGrid(const DistanceSource& source, const Bounds& surface, double spacing);

    double distance(const Vec3d& at) const;
    Vec3d gradient(const Vec3d& at) const; // not normalized
    double cell() const { return cell_; }
    std::size_t memory() const; // bytes

private:
    static constexpr int cells = 8, nodes = cells + 1, nodes_per_block = nodes * nodes * nodes;
    using Index = std::array<int, 3>;

    double within(const Vec3d& at) const; // `at` in the grid
    std::size_t corner_index(int x, int y, int z) const;
    std::size_t block_index(int x, int y, int z) const;
    Vec3d corner_position(int x, int y, int z) const;
    void lay_out(const Bounds& surface, double spacing, double share);
    std::vector<Index> sample_corners(const DistanceSource& source); // returns the blocks that need cells
    void sample_block(const DistanceSource& source, const Index& block, float* values) const;

    Bounds bounds_;
    double cell_ = 1, block_ = 8; // [m]
    Index count_{};               // blocks per axis
    std::vector<float> corners_;
    std::vector<std::int32_t> fine_; // per block: its place in values_, or -1
    std::vector<float> values_;
};

// A shape whose distances are such a copy.
ShapePtr grid_shape(const DistanceSource& source, const Bounds& bounds, double spacing);

} // namespace loam
