// Finding the surface f = 0 of a function that changes by no more than the way walked: blocks of lattice nodes that are
// too far from it are left out as a whole.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "base/vec.h"

namespace loam {

struct NodeLattice {
    Vec3d origin, step;
    std::array<std::int64_t, 3> lo{}, hi{}; // first node, and one past the last

    Vec3d node(std::int64_t i, std::int64_t j, std::int64_t k) const {
        return origin + Vec3d{double(i) * step.x, double(j) * step.y, double(k) * step.z};
    }
    // Nodes `parts` times as dense.
    NodeLattice divided(int parts, bool flat) const {
        NodeLattice fine{origin, step / static_cast<double>(parts), lo, hi};
        for (std::size_t axis = 0; axis < (flat ? 2 : 3); ++axis) fine.lo[axis] *= parts, fine.hi[axis] *= parts;
        return fine;
    }
};

inline constexpr std::int64_t surface_walk_side = 32; // nodes along the edge of a block

template <class Function> class SurfaceWalk {
public:
    // Keeps nodes with |f| <= reach; `slack` is how much |f| may be larger than the true distance.
    SurfaceWalk(const NodeLattice& lattice, const Function& f, double reach, double slack)
        : lattice_(lattice), f_(f), reach_(reach), slack_(slack) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            blocks_[axis] = (lattice.hi[axis] - lattice.lo[axis] + side - 1) / side;
    }

    double block_total() const { return double(blocks_[0]) * double(blocks_[1]) * double(blocks_[2]); }

    // map(node, f, out) for the nodes near the surface, each block of them with an `out` of its own; the outs are
    // joined in the order of the blocks, whatever the number of threads.
    template <class Item, class Map> std::vector<Item> collect(const Map& map) const {
        const auto total = static_cast<std::size_t>(block_total());
        std::vector<std::vector<Item>> parts(total);
        parallel_blocks(total, 1, [&](Range, std::size_t b) {
            walk_block(b, [&](const Vec3d& node, double value) { map(node, value, parts[b]); });
        });
        std::size_t count = 0;
        for (const auto& part : parts) count += part.size();
        std::vector<Item> all;
        all.reserve(count);
        for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
        return all;
    }

    // Whether there are more such nodes; it does not count on when there are.
    bool more_than(std::size_t limit) const {
        std::atomic<std::size_t> found = 0;
        parallel_blocks(static_cast<std::size_t>(block_total()), 1, [&](Range, std::size_t b) {
            if (found > limit) return;
            walk_block(b, [&](const Vec3d&, double) { ++found; });
        });
        return found > limit;
    }

private:
    static constexpr std::int64_t side = surface_walk_side;

    template <class Visit> void walk_block(std::size_t b, const Visit& visit) const {
        const auto n = static_cast<std::int64_t>(b);
        const std::int64_t i = n % blocks_[0], j = n / blocks_[0] % blocks_[1], k = n / (blocks_[0] * blocks_[1]);
        walk(lattice_.lo[0] + i * side, lattice_.lo[1] + j * side, lattice_.lo[2] + k * side, side, visit);
    }

    template <class Visit>
    void walk(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t size, const Visit& visit) const {
        if (i >= lattice_.hi[0] || j >= lattice_.hi[1] || k >= lattice_.hi[2]) return;
        const bool flat = lattice_.hi[2] - lattice_.lo[2] == 1;
        const double half = 0.5 * static_cast<double>(size - 1);
        const Vec3d offset{half * lattice_.step.x, half * lattice_.step.y, flat ? 0 : half * lattice_.step.z};
        const Vec3d middle = lattice_.node(i, j, k) + offset;
        const double value = f_(middle);
        if (size == 1) {
            if (std::abs(value) <= reach_) visit(middle, value);
            return;
        }
        if (std::abs(value) > length(offset) + reach_ + slack_) return;
        const std::int64_t next = size / 2;
        for (std::int64_t c = 0; c < (flat ? 4 : 8); ++c)
            walk(i + (c & 1) * next, j + (c >> 1 & 1) * next, k + (c >> 2) * next, next, visit);
    }

    NodeLattice lattice_;
    const Function& f_;
    double reach_, slack_;
    std::array<std::int64_t, 3> blocks_{};
};

} // namespace loam
