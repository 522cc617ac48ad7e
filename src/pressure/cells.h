// Coarse cells around particles, for fields that are smooth over some spacings. They lie in blocks, and only where
// particles are, or within two cells of them.
//
// A particle is spread over the three cells nearest to it along each axis by the quadratic B-spline, and takes values
// and gradients from them by the same weights: as it moves, all change smoothly, and a gradient is that of one field.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "passes/context.h"

namespace loam {

class Cells {
public:
    static constexpr std::uint32_t none = UINT32_MAX;

    // Cells of about the given edge for the particles as they stand; along a periodic axis some fill the period.
    void fit(const StepContext& step, double edge);

    std::size_t size() const { return block_at_.size() * per_block_; }
    int dimensions() const { return dimensions_; }
    double edge(int axis) const { return edge_[static_cast<std::size_t>(axis)]; }
    double volume() const { return edge_[0] * edge_[1] * (dimensions_ == 3 ? edge_[2] : 1); }
    std::uint32_t per_block() const { return per_block_; } // cells that follow each other
    Vec3d center(std::uint32_t cell) const;
    std::uint32_t neighbor(std::uint32_t cell, int x, int y, int z) const { // -1 to 1 away; or none
        return neighbors_[cell][static_cast<std::size_t>(13 + 9 * z + 3 * y + x)];
    }
    std::uint32_t beside(std::uint32_t cell, int axis, int side) const {
        return neighbor(cell, axis == 0 ? side : 0, axis == 1 ? side : 0, axis == 2 ? side : 0);
    }
    int reach(int axis) const { return axis < dimensions_ ? 1 : 0; } // of a particle's cells, to either side
    // visit(neighbor, x, y, z) for the cell itself and all around it that are there
    template <class Visit> void each_around(std::uint32_t cell, const Visit& visit) const {
        const std::uint32_t* other = neighbors_[cell].data() + (dimensions_ == 3 ? 0 : 9);
        for (int z = -reach(2); z <= reach(2); ++z)
            for (int y = -1; y <= 1; ++y)
                for (int x = -1; x <= 1; ++x, ++other)
                    if (*other != none) visit(*other, x, y, z);
    }

    // The particles by the cell that they are in.
    std::span<const std::uint32_t> particles_in(std::uint32_t cell) const {
        return {order_.data() + begin_[cell], order_.data() + begin_[cell + 1]};
    }

    // Of a particle in its cell: weights of the cells before, at and behind it along each axis, and their slopes.
    struct Spline {
        std::array<std::array<float, 3>, 3> weight, slope;
        float at(int x, int y, int z) const { return weight[0][x + 1] * weight[1][y + 1] * weight[2][z + 1]; }
    };
    Spline spline(const Vec3d& place) const;
    std::uint32_t cell_of(std::size_t particle) const { return cell_of_[particle]; }
    // Sums, by cell, of what the particles for which counts(i) bring: amount(i), spread.
    template <class Counts, class Amount>
    std::vector<float> spread(const StepContext& step, const Counts& counts, const Amount& amount) const;
    // A field's value (w) and gradient where a particle is.
    Float4 sample(const std::vector<float>& field, std::size_t particle, const Vec3d& place) const;

private:
    static constexpr int block_edge = 4;
    using Index = std::array<int, 3>;
    Index index_of(const Vec3d& place) const;
    Index wrapped(Index block) const; // into the period
    static std::uint64_t key(const Index& block);
    std::uint32_t add_block(const Index& block);
    struct Step {
        std::uint8_t block, cell;
    };
    using Steps = std::vector<std::array<Step, 27>>;
    Steps steps_in_block() const;
    void find_neighbors();

    int dimensions_ = 3;
    std::uint32_t per_block_ = 64;
    std::array<double, 3> edge_{};
    Vec3d origin_;
    std::array<int, 3> period_{}; // in blocks; 0: none
    std::vector<Index> block_at_;
    std::unordered_map<std::uint64_t, std::uint32_t> blocks_;
    std::vector<std::array<std::uint32_t, 27>> neighbors_; // by cell: itself in the middle, x fastest
    std::vector<std::uint32_t> cell_of_, order_, begin_;
};

template <class Counts, class Amount>
std::vector<float> Cells::spread(const StepContext& step, const Counts& counts, const Amount& amount) const {
    // Each cell first adds up what its own particles give to those around it: then no two write to one place.
    std::vector<std::array<float, 27>> given(size());
    const auto position = step.particles[step.particles.position];
    parallel_each(size(), [&](std::size_t c) {
        auto& to = given[c];
        to = {};
        for (const std::uint32_t i : particles_in(static_cast<std::uint32_t>(c))) {
            if (!counts(i)) continue;
            const Spline s = spline(position[i]);
            const float a = amount(i);
            for (int z = -reach(2); z <= reach(2); ++z)
                for (int y = -1; y <= 1; ++y)
                    for (int x = -1; x <= 1; ++x)
                        to[static_cast<std::size_t>(13 + 9 * z + 3 * y + x)] += a * s.at(x, y, z);
        }
    });
    std::vector<float> sums(size());
    parallel_each(size(), [&](std::size_t c) {
        float sum = 0;
        each_around(static_cast<std::uint32_t>(c), [&](std::uint32_t other, int x, int y, int z) {
            sum += given[other][static_cast<std::size_t>(13 - 9 * z - 3 * y - x)];
        });
        sums[c] = sum;
    });
    return sums;
}

} // namespace loam
