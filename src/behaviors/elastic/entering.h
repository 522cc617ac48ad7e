// Where particles that enter an elastic body are at rest: at their present distances from what is near them.
//
//   X = mean over neighbors j of X_j + R_j^T (y - y_j)       y present places in the body's frame, R_j their rotations
//
// Neighbors are particles that were in the body before, then those that have been placed beside them, and so on. Where
// a body is broken, they may not agree: those count that agree with the nearest. What is near none is at rest where it
// is in the frame.
#pragma once

#include <vector>

#include "base/vec.h"

namespace loam {

struct Entrant {
    Vec3d now;               // y
    Vec3d at_rest;           // X; given for those that were there before
    Float4 turn{0, 0, 0, 1}; // R as a quaternion; as well
    bool placed = false;     // was there before

    // Whether two are as far apart as they are at rest, or nearly: others are at sides of a crack, and have no bond.
    static bool agree(const Vec3d& now, const Vec3d& at_rest) {
        const double a = length(now), b = length(at_rest);
        return a < 1.25 * b && b < 1.25 * a;
    }
};

// Places those of one body that are not placed yet; neighbors are nearer than `support` now.
void place_entrants(std::vector<Entrant>& particles, double support);

} // namespace loam
