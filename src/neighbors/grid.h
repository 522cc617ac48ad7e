// A uniform grid by sorting (Bayraktar 2010, section 5.5, made modern). No table of cells: particles are sorted by
// cell, with x running fastest, so the cells of one row (same y and z) are contiguous and a particle's candidates are
// nine runs, one per neighboring row:
//
//        z |  row  row  row         a row:  ..[x-cell 3][4][4][4][5][6][6].. sorted by x-cell
//          |  row  ROW  row                       ^---------------^ candidates of a particle in x-cell 4 or 5
//          |  row  row  row
//          +-------------- y        rows themselves follow a Morton curve, so rows near in space are near in memory
//
// Neither the domain nor the number of particles per cell is bounded: only rows that hold particles exist, found by a
// hash of (y, z). Within a row x-cells are a quarter of the reach, so runs are only a little longer than needed.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec.h"

namespace loam {

inline constexpr int cells_per_reach_x = 4;

struct Cell {
    std::int32_t x, y, z;
};

// How space is cut, the same for all grids that are searched together.
struct CellFrame {
    Vec3d origin;
    Vec3d cell; // edge lengths; x is a quarter of the reach, y and z a whole one, or more
    Vec3d inverse_cell;
    std::array<std::int32_t, 3> period{}; // cells in a periodic axis, 0 for an open one
    Vec3d length;                         // of periodic axes

    // Far outliers share the outermost cells: they are still found, only with more candidates.
    static constexpr double cell_limit = 1 << 29;
    Cell cell_of(const Vec3d& p) const {
        const auto index = [&](std::size_t axis) {
            const double at = std::floor((p[axis] - origin[axis]) * inverse_cell[axis]);
            return static_cast<std::int32_t>(std::min(std::max(at, -cell_limit), cell_limit));
        };
        return {index(0), index(1), index(2)};
    }
};

// reach: the largest distance of neighbors. A periodic axis needs at least three reaches.
CellFrame make_frame(double reach, const Vec3d& origin, const Vec3d& periodic_length);

struct GridRow {
    std::int32_t y, z;
    std::uint32_t begin, end; // particles
};

// What a search reads, as plain pointers.
struct GridView {
    const float* x;
    const float* y;
    const float* z;
    const float* reach; // per particle; null when all have the same
    const std::uint32_t* x_cell;
    const GridRow* rows;
    const std::uint32_t* table; // row index + 1 by hash, 0 for none
    std::uint32_t table_mask;
    std::uint32_t row_count;
    std::uint32_t count;
    Cell least;        // x_cell and row coordinates are relative to this
    bool shared_cells; // far outliers stand in the outermost cells
};

class Grid {
public:
    // Sorts the points; order()[k] is the old index of the k-th in the new order.
    void sort(std::span<const Vec3d> positions, const CellFrame& frame);
    std::span<const std::uint32_t> order() const { return order_; }

    // Takes the coordinates for searching, relative to the frame's origin; positions already in the new order.
    void take_positions(std::span<const Vec3d> positions, const CellFrame& frame);
    void take_reach(std::span<const float> reach);

    GridView view() const;
    std::size_t memory() const;

private:
    void make_keys(std::span<const Vec3d> positions, const CellFrame& frame);
    void make_rows();

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> order_, x_cell_, table_;
    std::vector<GridRow> rows_;
    std::vector<float> x_, y_, z_, reach_;
    Cell least_{};
    bool shared_cells_ = false;
    int x_bits_ = 0, row_bits_ = 0, index_bits_ = 0;
};

[[gnu::always_inline]] inline std::uint32_t row_hash(std::int32_t y, std::int32_t z) {
    return (static_cast<std::uint32_t>(y) * 0x9e3779b1u) ^ (static_cast<std::uint32_t>(z) * 0x85ebca77u + 0x165667b1u);
}

} // namespace loam
