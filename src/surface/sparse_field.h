// A number at every node of an endless lattice, kept only where a surface may pass: blocks of 8 x 8 x 8 nodes, sorted
// by key. Positive is inside, the surface is where it is zero. The lattice is fixed in space (node i is at i times the
// cell size), so a surface does not swim when its particles' bounds change from frame to frame.
//
//        . . . . . . . . .
//        . out [B][B] out .        blocks with values cover the surface; all others are wholly outside or, where
//        . [B][B][B][B] .          listed in `interior`, wholly inside
//        . [B] in in [B] .
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec.h"

namespace loam {

inline constexpr int block_edge = 8; // nodes
inline constexpr std::size_t block_nodes = 512;

struct BlockPlace {
    std::int32_t x, y, z; // in blocks
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

inline constexpr std::int32_t block_limit = (1 << 20) - 2; // of coordinates of blocks, either way

using BlockKey = std::uint64_t; // sorts by z, then y, then x

inline BlockKey key_of(const BlockPlace& at) {
    const auto part = [](std::int32_t v) { return static_cast<std::uint64_t>(v + (1 << 20)); };
    return part(at.z) << 42 | part(at.y) << 21 | part(at.x);
}
inline BlockPlace place_of(BlockKey key) {
    const auto part = [](std::uint64_t v) { return static_cast<std::int32_t>(v & ((1 << 21) - 1)) - (1 << 20); };
    return {part(key), part(key >> 21), part(key >> 42)};
}

// Finds keys in a list: a hash table of their indices.
class BlockIndex {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    BlockIndex() = default;
    explicit BlockIndex(std::span<const BlockKey> keys);
    std::uint32_t find(BlockKey key) const; // index or none
    bool has(BlockKey key) const { return find(key) != none; }

private:
    std::vector<BlockKey> keys_;
    std::vector<std::uint32_t> slots_;
    std::uint64_t mask_ = 0;
};

struct SparseField {
    double cell = 1;
    std::vector<BlockKey> keys;     // sorted
    std::vector<float> values;      // block_nodes per key, x fastest
    std::vector<BlockKey> interior; // sorted; blocks without values that are wholly inside
    float outside = -1, inside = 1; // of all other nodes

    std::span<float> block(std::size_t b) { return {values.data() + b * block_nodes, block_nodes}; }
    std::span<const float> block(std::size_t b) const { return {values.data() + b * block_nodes, block_nodes}; }
    Vec3d origin(std::size_t b) const { // of the block's first node
        const BlockPlace at = place_of(keys[b]);
        return block_edge * cell * Vec3d{double(at.x), double(at.y), double(at.z)};
    }
};

// Blocks around those with values whose nodes, as far as they are known, say that the surface goes on there. While this
// is not empty there are cubes that the surface passes but whose first corner has no value.
std::vector<BlockKey> missing_blocks(const SparseField& field);

// Adds blocks (sorted, none of them there yet) with their values; they are no longer interior.
void add_blocks(SparseField& field, std::span<const BlockKey> keys, std::span<const float> values);

void sort_unique(std::vector<BlockKey>& keys);

} // namespace loam
