#include "behaviors/control/crowd.h"

#include "base/parallel.h"

namespace loam {

void Crowd::take(std::span<const Vec3d> positions, std::span<const float> amounts, const CellFrame& frame) {
    grid_.sort(positions, frame);
    std::vector<Vec3d> sorted(positions.size());
    places_.resize(positions.size() + 1);
    parallel_each(positions.size(), [&](std::size_t k) {
        sorted[k] = positions[order()[k]];
        places_[k] = float4(sorted[k] - frame.origin, amounts[order()[k]]);
    });
    places_.back() = {1e15f, 1e15f, 1e15f, 0}; // padding, far from all
    grid_.take_positions(sorted, frame);
}

PairView view_of(const Crowd& queries, const Crowd& targets, const NeighborList& list) {
    return {.query_place = queries.places(),
            .target_place = targets.places(),
            .entries = list.entries(),
            .blocks = list.block_begins(),
            .periodic = false,
            .length = {},
            .inverse_length = {}};
}

} // namespace loam
