#include "surface/sparse_field.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "base/parallel.h"

namespace loam {
namespace {

std::uint64_t scatter(BlockKey key) { return (key * 0x9e3779b97f4a7c15u) >> 20; }

constexpr std::size_t blocks_at_once = 64;

// Which nodes of a block touch its neighbor in direction d: the first, all or the last along each axis.
struct Touching {
    int begin[3]{}, end[3]{};

    explicit Touching(const int (&d)[3]) {
        for (int k = 0; k < 3; ++k) begin[k] = d[k] > 0 ? block_edge - 1 : 0, end[k] = d[k] < 0 ? 1 : block_edge;
    }
};

bool any_other_sign(std::span<const float> block, const Touching& part, bool inside) {
    for (int z = part.begin[2]; z < part.end[2]; ++z)
        for (int y = part.begin[1]; y < part.end[1]; ++y)
            for (int x = part.begin[0]; x < part.end[0]; ++x)
                if ((block[static_cast<std::size_t>((z * block_edge + y) * block_edge + x)] > 0) != inside) return true;
    return false;
}

template <class Visit> void each_neighbor_block(BlockKey key, const Visit& visit) {
    const BlockPlace at = place_of(key);
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                if (dx != 0 || dy != 0 || dz != 0) {
                    const int d[3] = {dx, dy, dz};
                    visit(key_of({at.x + dx, at.y + dy, at.z + dz}), d);
                }
}

// Calls find(index, list) for each of `count` in parallel and joins the lists.
template <class Find> std::vector<BlockKey> collect(std::size_t count, const Find& find) {
    std::vector<std::vector<BlockKey>> parts(block_count(count, blocks_at_once));
    parallel_blocks(count, blocks_at_once, [&](Range range, std::size_t part) {
        for (std::size_t i = range.begin; i != range.end; ++i) find(i, parts[part]);
    });
    std::vector<BlockKey> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    sort_unique(all);
    return all;
}

} // namespace

BlockIndex::BlockIndex(std::span<const BlockKey> keys) : keys_(keys.begin(), keys.end()) {
    slots_.assign(std::bit_ceil(2 * keys.size() + 2), none);
    mask_ = slots_.size() - 1;
    for (std::uint32_t i = 0; i < keys_.size(); ++i) {
        std::uint64_t slot = scatter(keys_[i]) & mask_;
        while (slots_[slot] != none) slot = (slot + 1) & mask_;
        slots_[slot] = i;
    }
}

std::uint32_t BlockIndex::find(BlockKey key) const {
    if (slots_.empty()) return none;
    for (std::uint64_t slot = scatter(key) & mask_;; slot = (slot + 1) & mask_)
        if (slots_[slot] == none || keys_[slots_[slot]] == key) return slots_[slot];
}

std::vector<BlockKey> missing_blocks(const SparseField& field) {
    const BlockIndex valued(field.keys), interior(field.interior);
    std::vector<BlockKey> missing = collect(field.keys.size(), [&](std::size_t b, std::vector<BlockKey>& found) {
        each_neighbor_block(field.keys[b], [&](BlockKey key, const int(&d)[3]) {
            if (!valued.has(key) && any_other_sign(field.block(b), Touching(d), interior.has(key)))
                found.push_back(key);
        });
    });
    // Inside must not touch outside without values between them.
    std::vector<BlockKey> bare = collect(field.interior.size(), [&](std::size_t b, std::vector<BlockKey>& found) {
        if (valued.has(field.interior[b])) return;
        bool touches_outside = false;
        each_neighbor_block(field.interior[b], [&](BlockKey key, const int(&)[3]) {
            touches_outside = touches_outside || (!valued.has(key) && !interior.has(key));
        });
        if (touches_outside) found.push_back(field.interior[b]);
    });
    missing.insert(missing.end(), bare.begin(), bare.end());
    sort_unique(missing);
    return missing;
}

void add_blocks(SparseField& field, std::span<const BlockKey> keys, std::span<const float> values) {
    std::vector<BlockKey> joined(field.keys.size() + keys.size());
    std::vector<float> joined_values(joined.size() * block_nodes);
    std::size_t old = 0, fresh = 0;
    for (std::size_t to = 0; to < joined.size(); ++to) {
        const bool from_new = old == field.keys.size() || (fresh < keys.size() && keys[fresh] < field.keys[old]);
        joined[to] = from_new ? keys[fresh] : field.keys[old];
        const float* const from = from_new ? values.data() + fresh++ * block_nodes : field.block(old++).data();
        std::copy_n(from, block_nodes, joined_values.data() + to * block_nodes);
    }
    field.keys = std::move(joined);
    field.values = std::move(joined_values);
    std::vector<BlockKey> interior;
    std::set_difference(field.interior.begin(), field.interior.end(), keys.begin(), keys.end(),
                        std::back_inserter(interior));
    field.interior = std::move(interior);
}

void sort_unique(std::vector<BlockKey>& keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

} // namespace loam
