// Contacts between rigid bodies, and of rigid bodies with walls.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "behaviors/rigid/body.h"
#include "particles/solid_surface.h"
#include "passes/context.h"

namespace loam {

// Who touches whom.
struct ContactKey {
    std::uint32_t owner = 0; // body whose surface point touches
    std::uint32_t other = 0; // index of a body, or number of bodies + index of a wall
    friend auto operator<=>(const ContactKey&, const ContactKey&) = default;
};

struct RigidContact {
    ContactKey key;
    bool with_wall = false;
    Vec3d normal; // from the other to the owner, unit
    Vec3d arm;    // of the contact from the owner's center
    Vec3d other_arm;
    Vec3d wall_velocity; // of the wall at the contact
    double gap = 0;      // below 0: they overlap
    double friction = 0, restitution = 0;

    // What the solver finds: impulses [N s].
    double push = 0;       // along the normal, never below 0
    Vec3d drag;            // along the surface
    double correction = 0; // of positions
};

// Surface properties, by body of the scene.
struct SurfaceValues {
    double friction = 0, restitution = 0;
};

struct ContactSearch {
    std::span<const RigidBody> bodies;
    std::span<const SolidSurface> surfaces; // by rigid body
    std::span<const WallBody> walls;
    std::span<const SurfaceValues> values; // by body of the scene
    Vec3d periodic_length, periodic_begin;
    double reach = 0; // gaps up to this are of interest, beyond what bodies move in the step
    double dt = 0;
};

// All places where bodies touch or may touch within the step, a few for each pair; in a fixed order.
std::vector<RigidContact> find_contacts(const ContactSearch& search);

} // namespace loam
