// A growing set of points that answers which of them are near: a hash table of cells, points chained within a cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/vec.h"
#include "particles/hash.h"

namespace loam {

class PointGrid {
public:
    explicit PointGrid(double cell) : per_cell_(1 / cell) { heads_.assign(4096, none); }

    std::size_t size() const { return points_.size(); }
    const Vec3d& operator[](std::size_t n) const { return points_[n].position; }

    void add(const Vec3d& p) {
        if (points_.size() > heads_.size()) grow();
        points_.push_back({p, none});
        link(static_cast<std::uint32_t>(points_.size() - 1));
    }

    // visit(index, squared distance) for points within `radius`, until it returns true.
    template <class Visit> void near(const Vec3d& p, double radius, const Visit& visit) const {
        if (!(radius > 0)) return;
        const Cell lo = cell_of(p - Vec3d{radius, radius, radius}), hi = cell_of(p + Vec3d{radius, radius, radius});
        for (auto k = lo.z; k <= hi.z; ++k)
            for (auto j = lo.y; j <= hi.y; ++j)
                for (auto i = lo.x; i <= hi.x; ++i)
                    for (std::uint32_t n = heads_[slot({i, j, k})]; n != none; n = points_[n].next) {
                        const Vec3d d = points_[n].position - p;
                        const double r2 = dot(d, d);
                        // Cells may share a slot: a point counts for its own cell only.
                        if (r2 < radius * radius && cell_of(points_[n].position) == Cell{i, j, k} && visit(n, r2))
                            return;
                    }
    }
    bool any_near(const Vec3d& p, double radius) const {
        bool found = false;
        near(p, radius, [&](std::uint32_t, double) { return found = true; });
        return found;
    }

private:
    struct Cell {
        std::int64_t x, y, z;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    struct Entry {
        Vec3d position;
        std::uint32_t next;
    };
    static constexpr std::uint32_t none = UINT32_MAX;

    Cell cell_of(const Vec3d& p) const {
        const auto whole = [this](double x) { return static_cast<std::int64_t>(std::floor(x * per_cell_)); };
        return {whole(p.x), whole(p.y), whole(p.z)};
    }
    // Groups of 4^3 cells stay together in memory; groups are hashed.
    std::size_t slot(const Cell& c) const {
        const auto h = static_cast<std::uint64_t>(c.x >> 2) * 0x9e3779b97f4a7c15ull ^
                       static_cast<std::uint64_t>(c.y >> 2) * 0xc2b2ae3d27d4eb4full ^
                       static_cast<std::uint64_t>(c.z >> 2) * 0x165667b19e3779f9ull;
        const auto within = static_cast<std::uint64_t>((c.x & 3) | (c.y & 3) << 2 | (c.z & 3) << 4);
        return (((h ^ (h >> 31)) << 6) | within) & (heads_.size() - 1);
    }
    void link(std::uint32_t n) {
        std::uint32_t& head = heads_[slot(cell_of(points_[n].position))];
        points_[n].next = head;
        head = n;
    }
    void grow() {
        heads_.assign(heads_.size() * 4, none);
        for (std::uint32_t n = 0; n < points_.size(); ++n) link(n);
    }

    double per_cell_;
    std::vector<Entry> points_;
    std::vector<std::uint32_t> heads_;
};

} // namespace loam
