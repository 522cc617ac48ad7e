// Walls: bodies whose shape other bodies do not enter, and the particles that stand for them to pressure and viscosity.
// Step makes and moves them (step/walls.h); how they push and brake is a law like others (behaviors/walls).
#pragma once

#include <vector>

#include "base/declaration.h"
#include "particles/columns.h"
#include "particles/motion.h"
#include "particles/shape.h"

namespace loam {

struct WallBody {
    std::uint32_t body = 0; // of the scene
    ShapePtr shape;         // at rest
    Motion motion;
    Values values;        // of boundary_declaration(): how it treats what touches it
    Pose pose;            // now
    double friction = -1; // in contacts: below 0: what touches it has its own; infinite: it sticks

    // Where it repeats by moving along periodic axes; 0 along others, and for walls at rest.
    Vec3d period, middle; // and the middle of the shape

    Pose pose_at(double time) const;
    // Whether the surface goes on where it is not covered with particles (planes, height fields).
    bool goes_on() const;
};

double slip_of(const Values& boundary);          // as in Walls::velocity
double contact_friction(const Values& boundary); // as in WallBody

// Particles that push but are not pushed. Sorted on their own; rebuilt only when they move.
class Walls : public Columns {
public:
    Walls();

    std::vector<WallBody> bodies;
    bool move() const; // whether any of them does, at any time

    Column<std::uint32_t> id; // the order in which they were made
    Column<std::uint32_t> body;
    Column<Vec3d> position;
    Column<Vec3d> rest_position; // before motion
    Column<Float4> rest_normal;
    Column<Float4> velocity; // w: slip. 0: free, below 0: none, above 0: coefficient of friction
    Column<Float4> normal;   // out of the solid; w: depth below the surface, negative at a sharp edge
    Column<float> volume;    // from the local sampling density
    Column<Float4> place;    // position relative to the frame's origin, and volume
};

} // namespace loam
