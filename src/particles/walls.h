// Walls: bodies whose shape other bodies do not enter, and the particles that stand for them to pressure and viscosity.
// Step makes and moves them (step/walls.h); how they push and brake is a law like others (behaviors/walls).
#pragma once

#include <vector>

#include "base/declaration.h"
#include "particles/columns.h"
#include "particles/motion.h"
#include "particles/shape.h"
#include "particles/shapes/animated_mesh.h"

namespace loam {

struct WallBody {
    std::uint32_t body = 0; // of the scene
    ShapePtr shape;         // at rest; of one that bends, as it is now
    Motion motion;
    Values values;        // of boundary_declaration(): how it treats what touches it
    Pose pose;            // now
    double friction = -1; // in contacts: below 0: what touches it has its own; infinite: it sticks

    // Where it repeats by moving along periodic axes; 0 along others, and for walls at rest.
    Vec3d period, middle; // and the middle of the shape

    // Of a wall that bends by an animation.
    ShapePtr animated;           // from which shapes of all times come; null for others
    std::vector<Anchor> anchors; // of its particles, in the order in which they were made
    std::uint32_t first_id = 0;  // of its particles

    bool moves() const { return motion.moves() || animated; }
    const AnimatedMesh* animation() const { return animated ? animation_of(*animated) : nullptr; }
    ShapePtr shape_at(double time) const { return animated ? animation()->at(time) : shape; }
    Vec3d velocity_at(const Vec3d& now) const; // of its point that is now here

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
