// A neighbor list with the places of its particles, as plain pointers for inner loops.
#pragma once

#include "base/vec.h"
#include "neighbors/list.h"

namespace loam {

struct PairView {
    const Float4* query_place;
    const Float4* target_place;
    const NeighborList::Entry* entries;
    const std::uint32_t* const* blocks;
    bool periodic;
    float length[3], inverse_length[3]; // 0 for axes that are not periodic
};

} // namespace loam
