// A wall of the scene: its shape, how it moves, and how it treats what touches it.
#pragma once

#include "base/declaration.h"
#include "particles/motion.h"
#include "particles/pool.h"
#include "particles/sampling.h"
#include "passes/kernel.h"

namespace loam {

struct WallBody {
    std::uint32_t body;
    ShapePtr shape; // at rest
    Motion motion;
    Values values; // of boundary_declaration()

    // Whether the surface goes on where it is not covered with particles (planes, height fields).
    bool goes_on() const;
};

double slip_of(const Values& boundary);          // as in Walls::velocity
double contact_friction(const Values& boundary); // as in WallSurface

// Covers the walls with particles. Each takes the volume that its local sampling gives it (Akinci 2012), scaled so that
// a flat wall continues the lattice of a fluid at rest: a coarse or doubled sampling changes nothing.
Result<std::vector<SurfacePoint>> cover_wall(const WallBody& wall, double spacing, int dimensions);
double wall_volume_scale(const Kernel& kernel, double spacing, int layers);

} // namespace loam
