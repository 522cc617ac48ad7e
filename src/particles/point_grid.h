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
    explicit PointGrid(double cell) : cell_(cell) { heads_.assign(1024, none); }

    std::size_t size() const { return points_.size(); }
    const std::vector<Vec3d>& points() const { return points_; }

    void add(const Vec3d& p) {
        if (points_.size() > heads_.size()) grow();
        points_.push_back(p);
        next_.push_back(none);
        link(points_.size() - 1);
    }

    // visit(index, squared distance) for points within `radius`, which must be at most the cell size.
    template <class Visit> void near(const Vec3d& p, double radius, const Visit& visit) const {
        const double reach = radius / cell_;
        const double x = p.x / cell_, y = p.y / cell_, z = p.z / cell_;
        for (auto k = whole(z - reach); k <= whole(z + reach); ++k)
            for (auto j = whole(y - reach); j <= whole(y + reach); ++j)
                for (auto i = whole(x - reach); i <= whole(x + reach); ++i)
                    for (std::uint32_t n = heads_[slot(i, j, k)]; n != none; n = next_[n]) {
                        const Vec3d& q = points_[n];
                        const Vec3d d = q - p;
                        // Cells that share a slot: each point counts for its own cell only.
                        if (dot(d, d) < radius * radius && whole(q.x / cell_) == i && whole(q.y / cell_) == j &&
                            whole(q.z / cell_) == k)
                            visit(n, dot(d, d));
                    }
    }
    bool any_near(const Vec3d& p, double radius) const {
        bool found = false;
        near(p, radius, [&](std::uint32_t, double) { found = true; });
        return found;
    }

private:
    static constexpr std::uint32_t none = UINT32_MAX;
    static std::int64_t whole(double x) { return static_cast<std::int64_t>(std::floor(x)); }
    std::size_t slot(std::int64_t i, std::int64_t j, std::int64_t k) const {
        const auto h = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15ull ^
                       static_cast<std::uint64_t>(j) * 0xc2b2ae3d27d4eb4full ^
                       static_cast<std::uint64_t>(k) * 0x165667b19e3779f9ull;
        return (h ^ (h >> 29)) & (heads_.size() - 1);
    }
    void link(std::size_t n) {
        const Vec3d& p = points_[n];
        std::uint32_t& head = heads_[slot(whole(p.x / cell_), whole(p.y / cell_), whole(p.z / cell_))];
        next_[n] = head;
        head = static_cast<std::uint32_t>(n);
    }
    void grow() {
        heads_.assign(heads_.size() * 4, none);
        for (std::size_t n = 0; n < points_.size(); ++n) link(n);
    }

    double cell_;
    std::vector<Vec3d> points_;
    std::vector<std::uint32_t> heads_, next_;
};

} // namespace loam
