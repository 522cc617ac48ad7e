// One rigid body: its mass, where it is, how it moves.
//
//   x = c + R r                     where the point that lies at r (from the center of mass, at rest) is now
//   v = u + w x (x - c)             its velocity
//   L = R I R^T w                   angular momentum, I inertia at rest
//
// Free rotation keeps L, and by the implicit midpoint rule in the axes of the body also the energy, both to rounding:
//   P' - P = dt (P + P')/2 x W,   W = I^-1 (P + P')/2,   P = R^T L,   R' = R cay(dt W)
// Five such steps of dt p, p, 1 - 4p, p, p are one of fourth order (Suzuki 1990), in pieces of at most a small angle:
// so it does not matter how long the step is.
#pragma once

#include <cstdint>
#include <span>

#include "behaviors/rigid/rotation.h"
#include "particles/motion.h"

namespace loam {

struct MassPoint {
    Vec3d position;
    double mass = 0;
};

struct RigidBody {
    std::uint32_t body = 0; // of the scene
    std::size_t begin = 0;  // its particles, by slot
    std::size_t end = 0;
    double reach = 0;  // of its particles from the center
    Vec3d rest_center; // in the coordinates of the body's shape
    double mass = 0;
    Matrix3 inertia;       // about the center, at rest: of the shape, or of particles with their extent
    Matrix3 beyond_points; // what of it is not that of its particles, as body_of() finds it
    Matrix3 inverse_at_rest;
    Matrix3 points_inverse_at_rest; // inverse inertia of the particles as points: see project()
    bool held = false;              // moved by the scene: pushes, but is not pushed
    bool left = false;              // no longer a body: its particles have become something else

    Vec3d center;
    Quaternion turn;
    Vec3d velocity;
    Vec3d spin; // angular velocity [rad/s]

    // Of the present turn; set by refresh().
    Matrix3 rotation, inverse_inertia, points_inverse;

    void refresh();
    void set_inertia(const Matrix3& at_rest, int dimensions);
    double inverse_mass() const { return held ? 0 : 1 / mass; }
    Vec3d momentum() const { return mass * velocity; }
    Vec3d angular_momentum() const;
    double kinetic_energy() const;
    Vec3d velocity_at(const Vec3d& arm) const { return velocity + cross(spin, arm); }
    Vec3d to_rest(const Vec3d& now) const { return rest_center + transposed(rotation) * (now - center); }

    void push(const Vec3d& impulse, const Vec3d& angular_impulse);
    void move(double dt);                                       // freely
    void shift(const Vec3d& displacement, const Vec3d& turned); // by small amounts
    // Its particles have become heavier or lighter: it goes on moving as it does, about another center.
    void take_mass(const RigidBody& of_points, bool turns, int dimensions);
    void follow(const Pose& pose);

private:
    void turn_freely(double dt, const Vec3d& angular_momentum); // one step of the midpoint rule
};

bool all_alike(std::span<const Vec3d> velocities);
// Gives it the momentum and angular momentum of points.
void push_as(RigidBody& body, std::span<const MassPoint> points, std::span<const Vec3d> velocities);
// Moves it as points do that the scene gives velocities to: that particles have an extent must not slow the spin.
// `given` is the body of these points, which may lie a little elsewhere than its own.
void move_as(RigidBody& body, RigidBody given, std::span<const MassPoint> points, std::span<const Vec3d> velocities);

// The one that a body of the scene is made of; null if there are several, or none.
const RigidBody* only_one_of(std::span<const RigidBody> bodies, std::size_t body);

// Mass, center and inertia of particles, each a cube (in 2D a square) of the given edge.
RigidBody body_of(std::span<const MassPoint> points, double edge, int dimensions);

} // namespace loam
