// Everything about who is near whom: the grids of particles and walls, and the lists made from them.
//
// With a skin, lists reach beyond the support and are reused until some particle has moved half of it (Verlet 1967);
// it pays for solvers that take many short steps. It changes no result beyond the order of sums, and lists are always
// made anew where a checkpoint may be taken, so that a resumed run goes on with the same ones.
#pragma once

#include "base/instruction_set.h"
#include "neighbors/grid.h"
#include "neighbors/list.h"
#include "particles/pool.h"
#include "particles/walls.h"

namespace loam {

class Neighborhood {
public:
    struct Settings {
        double support = 0;
        double skin = 0; // as a fraction of the support
        bool flat = false;
        Vec3d origin;
        Vec3d periodic_length;
        InstructionSet isa = InstructionSet::scalar;
    };

    explicit Neighborhood(const Settings& settings);

    // Brings `place` of the particles up to date, and the lists where they no longer hold. Sorts the particles then.
    void update(Pool& pool, Walls& wall_particles);
    void invalidate() { valid_ = false; }         // particles were born, died or were restored
    bool valid() const { return valid_; }         // the lists are of the particles in their present order
    void walls_moved() { walls_sorted_ = false; } // positions of walls have changed

    NeighborList particles; // of particles, among particles
    NeighborList walls;     // of particles, among walls

    // Lists among the walls themselves, for their volumes.
    NeighborList wall_pairs(Walls& wall_particles);

    const CellFrame& frame() const { return frame_; }
    std::size_t builds() const { return builds_; }
    std::size_t memory() const;

private:
    double reach() const { return settings_.support * (1 + settings_.skin); }
    bool still_hold(const Pool& pool) const;
    void sort_walls(Walls& wall_particles);

    Settings settings_;
    CellFrame frame_;
    Grid particle_grid_, wall_grid_;
    bool valid_ = false, walls_sorted_ = false;
    std::size_t builds_ = 0;
};

} // namespace loam
