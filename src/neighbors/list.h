// Neighbor lists: for every particle the indices of the others within reach, compact, complete (full lists: j is in i's
// list and i in j's), and padded to whole lanes with the index of the padding particle behind the last one.
//
// A block of particles keeps its lists in one buffer that is written by one thread and reused from build to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/blocks.h"

namespace loam {

inline constexpr std::size_t list_padding = 8; // entries; the widest lanes

struct ListBlock {
    std::vector<std::uint32_t> entries;
    std::size_t used = 0;
    std::vector<float> near; // scratch of the search
    std::vector<std::uint32_t> near_index;
};

class NeighborList {
public:
    // Plain pointers for inner loops.
    struct Entry {
        std::uint32_t start, count; // in the block's entries; count without padding
    };

    void reset(std::size_t particles) {
        entries_.resize(particles);
        blocks_.resize(loam::block_count(particles));
        for (ListBlock& block : blocks_) block.used = 0;
    }
    void clear() { reset(0); }

    std::size_t size() const { return entries_.size(); }
    std::span<const std::uint32_t> of(std::size_t particle) const {
        const Entry& e = entries_[particle];
        return {blocks_[particle / block_size].entries.data() + e.start, e.count};
    }
    Entry* entries() { return entries_.data(); }
    const Entry* entries() const { return entries_.data(); }
    std::size_t block_count() const { return blocks_.size(); }
    ListBlock& block(std::size_t index) { return blocks_[index]; }
    const ListBlock& block(std::size_t index) const { return blocks_[index]; }
    // Where each block's entries begin; valid after seal().
    const std::uint32_t* const* block_begins() const { return begins_.data(); }
    void seal();

    std::size_t pair_count() const;
    std::size_t memory() const;

private:
    std::vector<Entry> entries_;
    std::vector<ListBlock> blocks_;
    std::vector<const std::uint32_t*> begins_;
};

} // namespace loam
