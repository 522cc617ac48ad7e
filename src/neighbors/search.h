// The search itself: for each point of one grid, all points of the same or another grid within reach.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "neighbors/grid.h"
#include "neighbors/list.h"

namespace loam {

struct SearchArgs {
    GridView queries;
    GridView targets;
    float reach;            // used where the grids carry no reach of their own
    bool same;              // queries and targets are one set: a point is not its own neighbor
    bool flat;              // 2D: only rows with the same z
    std::int32_t period[3]; // as CellFrame
    float length[3];
    float cell_y, cell_z;
    NeighborList::Entry* entries;
};

// Lists for the queries of one block, appended to `block`.
LOAM_DISPATCH(search_block, void(const SearchArgs&, Range, ListBlock&))

// Makes room for `more` entries behind the used ones; not inlined into instruction-set code.
std::uint32_t* list_room(ListBlock& block, std::size_t more);

// Candidates that neighboring queries share, copied side by side.
struct Candidates {
    float *x, *y, *z, *reach;
    std::uint32_t* index;
    std::uint32_t count;
};
Candidates candidate_room(ListBlock& block, std::size_t count);

void search(const Grid& queries, const Grid& targets, double reach, const CellFrame& frame, bool flat,
            InstructionSet isa, NeighborList& list);

} // namespace loam
