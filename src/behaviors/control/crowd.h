// Points sorted by cells, so that those near the points of another crowd are found in lanes.
#pragma once

#include <span>
#include <vector>

#include "neighbors/grid.h"
#include "neighbors/list.h"
#include "passes/pair_view.h"

namespace loam {

class Crowd {
public:
    // Crowds that are searched together have one frame.
    void take(std::span<const Vec3d> positions, std::span<const float> amounts, const CellFrame& frame);

    std::size_t size() const { return order().size(); }
    // What was the k-th before it was sorted.
    std::span<const std::uint32_t> order() const { return grid_.order(); }
    const Grid& grid() const { return grid_; }
    const Float4* places() const { return places_.data(); } // w: the amount

    // A property in the new order, with one for padding.
    template <class T> std::vector<T> sorted(std::span<const T> all) const {
        std::vector<T> some(size() + 1);
        for (std::size_t k = 0; k < size(); ++k) some[k] = all[order()[k]];
        return some;
    }

private:
    Grid grid_;
    std::vector<Float4> places_;
};

PairView view_of(const Crowd& queries, const Crowd& targets, const NeighborList& list);

} // namespace loam
