#include "neighbors/search.h"

#include "base/parallel.h"

namespace loam {

std::uint32_t* list_room(ListBlock& block, std::size_t more) {
    const std::size_t needed = block.used + more;
    if (block.entries.size() < needed) {
        block.entries.reserve(needed + needed / 32 + 256); // resize alone would double
        block.entries.resize(block.entries.capacity());
    }
    return block.entries.data() + block.used;
}

struct SearchScratch {
    std::vector<float> near;
    std::vector<std::uint32_t> index;
};

Candidates candidate_room(SearchScratch& scratch, std::size_t count) {
    if (scratch.index.size() < count) {
        scratch.index.resize(2 * count);
        scratch.near.resize(4 * scratch.index.size());
    }
    const std::size_t stride = scratch.index.size();
    float* const near = scratch.near.data();
    return {near, near + stride, near + 2 * stride, near + 3 * stride, scratch.index.data(), 0};
}

void search(const Grid& queries, const Grid& targets, double reach, const CellFrame& frame, bool flat,
            InstructionSet isa, NeighborList& list) {
    SearchArgs args{.queries = queries.view(),
                    .targets = targets.view(),
                    .reach = static_cast<float>(reach),
                    .same = &queries == &targets,
                    .flat = flat,
                    .period = {frame.period[0], frame.period[1], frame.period[2]},
                    .length = {static_cast<float>(frame.length.x), static_cast<float>(frame.length.y),
                               static_cast<float>(frame.length.z)},
                    .cell_y = static_cast<float>(frame.cell.y),
                    .cell_z = static_cast<float>(frame.cell.z),
                    .entries = nullptr};
    std::vector<float> alike; // reaches of those that have none of their own, beside others that do
    if (GridView& lacks = args.queries.reach ? args.targets : args.queries;
        !lacks.reach && (args.queries.reach || args.targets.reach)) {
        alike.assign(lacks.count + list_padding, args.reach);
        lacks.reach = alike.data();
    }
    list.reset(args.queries.count);
    args.entries = list.entries();
    parallel_blocks(args.queries.count, block_size, [&](Range range, std::size_t block) {
        SearchScratch scratch;
        search_block.on(isa)(args, range, list.block(block), scratch);
    });
    list.seal();
}

void NeighborList::seal() {
    begins_.resize(blocks_.size());
    for (std::size_t b = 0; b < blocks_.size(); ++b) begins_[b] = blocks_[b].entries.data();
}

std::size_t NeighborList::pair_count() const {
    std::size_t pairs = 0;
    for (const Entry& e : entries_) pairs += e.count;
    return pairs;
}

std::size_t NeighborList::memory() const {
    std::size_t bytes = entries_.capacity() * sizeof(Entry);
    for (const ListBlock& block : blocks_) bytes += block.entries.capacity() * sizeof(std::uint32_t);
    return bytes;
}

} // namespace loam
