// The particles of a surface, sorted in space, with what all methods ask of them: who is near a place, and who lies at
// the surface.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/instruction_set.h"
#include "base/vec.h"
#include "neighbors/grid.h"
#include "neighbors/list.h"
#include "passes/pair_view.h"
#include "surface/mesh.h"

namespace loam {

// What a surface is made from: plain arrays, as read from a frame.
struct SurfaceParticles {
    int dimensions = 3;
    double radius = 0; // of a particle of size 1: half the spacing at rest [m]
    double time = 0;   // [s]
    std::vector<Vec3d> positions;
    std::vector<float> sizes;        // linear, by its own volume against that of a full particle; empty: all 1
    std::vector<std::uint32_t> body; // empty: all 0
    std::vector<MeshColumn> columns; // what the surface is to carry

    double spacing() const { return 2 * radius; }
    double share(double size) const { return dimensions == 2 ? size * size : size * size * size; } // of a full volume
    double volume() const; // of all particles; in 2D of a layer as thick as the spacing
};

// Particles too small to be seen are not in it.
class Cloud {
public:
    Cloud(const SurfaceParticles& particles, InstructionSet isa);

    std::size_t size() const { return density_.size(); }
    bool flat() const { return particles_.dimensions == 2; }
    double spacing() const { return particles_.spacing(); }
    double largest_size() const { return largest_size_; }
    InstructionSet isa() const { return isa_; }
    const SurfaceParticles& particles() const { return particles_; } // in their own order: see order()
    std::span<const std::uint32_t> order() const { return order_; }

    // In the cloud's order:
    const Vec3d& origin() const { return frame_.origin; }
    std::span<const Float4> places() const { return {places_.data(), size()}; } // relative to the origin; w: size
    Vec3d position(std::size_t i) const { return origin() + places_[i].xyz_double(); }
    double share(std::size_t i) const { return particles_.share(places_[i].w); } // its volume, against a full one's
    std::span<const float> density() const { return density_; }                  // about 1 inside
    std::span<const Float4> lean() const { return lean_; }         // away from the neighbors; see passes.h
    bool exposed(std::size_t i) const { return exposed_[i] != 0; } // the surface may be near
    std::size_t exposed_count() const;
    // Within two spacings, or as far as the larger of both reaches when that is more than a full particle.
    const NeighborList& neighbors() const { return neighbors_; }
    double neighbor_reach() const { return 2 * spacing(); } // of a full particle, and of smaller ones

    // visit(index) for the particles in cells that meet the box; some lie outside of it.
    template <class Visit> void each_in_box(const Vec3d& lo, const Vec3d& hi, const Visit& visit) const;

    // Sums over the neighborhoods of some particles, see passes.h: 10 moments each; means of a vector of all particles
    // (one more behind the last, for padding), the second only of those that point the same way.
    std::vector<float> moments_of(std::span<const std::uint32_t> some) const;
    std::vector<Float4> means_of(std::span<const std::uint32_t> some, std::span<const Float4> vectors) const;
    std::vector<Float4> means_alike(std::span<const std::uint32_t> some, std::span<const Float4> vectors) const;

private:
    std::vector<float> widths_of_neighborhoods() const;
    void find_neighbors(std::span<const float> widths);
    void find_exposed(std::span<const float> widths);
    template <class Pass>
    std::vector<Float4> means_by(const Pass& pass, std::span<const std::uint32_t> some,
                                 std::span<const Float4> vectors) const;
    PairView pairs(std::span<const Float4> places) const;

    const SurfaceParticles& particles_;
    InstructionSet isa_;
    double largest_size_;
    std::vector<std::uint32_t> order_;
    CellFrame frame_;
    Grid grid_;
    Cell most_{};                       // the largest cell in use, relative to the grid's least
    std::vector<Float4> places_, lean_; // places_ has one more, far away, which pads lists
    std::vector<float> density_;
    std::vector<std::uint8_t> exposed_;
    NeighborList neighbors_;
};

template <class Visit> void Cloud::each_in_box(const Vec3d& lo, const Vec3d& hi, const Visit& visit) const {
    const GridView grid = grid_.view();
    if (grid.count == 0) return;
    const Cell from = frame_.cell_of(lo), to = frame_.cell_of(hi);
    // Far outliers stand in the outermost cells, so what lies beyond those is looked for there.
    const auto clamped = [](std::int32_t at, std::int32_t least, std::int32_t most) {
        return std::clamp<std::int32_t>(at - least, 0, most);
    };
    const std::int32_t x0 = clamped(from.x, grid.least.x, most_.x), x1 = clamped(to.x, grid.least.x, most_.x);
    const std::int32_t y0 = clamped(from.y, grid.least.y, most_.y), y1 = clamped(to.y, grid.least.y, most_.y);
    const std::int32_t z0 = clamped(from.z, grid.least.z, most_.z), z1 = clamped(to.z, grid.least.z, most_.z);
    for (std::int32_t z = z0; z <= z1; ++z)
        for (std::int32_t y = y0; y <= y1; ++y)
            for (std::uint32_t slot = row_hash(y, z);; ++slot) {
                const std::uint32_t found = grid.table[slot & grid.table_mask];
                if (found == 0) break;
                const GridRow& row = grid.rows[found - 1];
                if (row.y != y || row.z != z) continue;
                const std::uint32_t* const end = grid.x_cell + row.end;
                const std::uint32_t* at =
                    std::lower_bound(grid.x_cell + row.begin, end, static_cast<std::uint32_t>(x0));
                for (; at != end && *at <= static_cast<std::uint32_t>(x1); ++at)
                    visit(static_cast<std::uint32_t>(at - grid.x_cell));
                break;
            }
}

} // namespace loam
