#include "behaviors/rigid/body.h"

#include <algorithm>
#include <cmath>

namespace loam {
namespace {

// In a plane only the spin about z is left.
Matrix3 inverse_in(const Matrix3& inertia, int dimensions) {
    if (dimensions == 2) return diagonal(0, 0, inertia.rows[2].z > 0 ? 1 / inertia.rows[2].z : 0);
    return inverse(inertia);
}

Matrix3 turned(const Matrix3& rotation, const Matrix3& at_rest) { return rotation * at_rest * transposed(rotation); }

} // namespace

void RigidBody::refresh() {
    rotation = matrix_of(turn);
    inverse_inertia = held ? Matrix3{} : turned(rotation, inverse_at_rest);
    points_inverse = turned(rotation, points_inverse_at_rest);
}

void RigidBody::set_inertia(const Matrix3& at_rest, int dimensions) {
    inertia = at_rest;
    inverse_at_rest = inverse_in(inertia, dimensions);
    refresh();
}

Vec3d RigidBody::angular_momentum() const { return turned(rotation, inertia) * spin; }

double RigidBody::kinetic_energy() const {
    return 0.5 * (mass * dot(velocity, velocity) + dot(spin, angular_momentum()));
}

void RigidBody::push(const Vec3d& impulse, const Vec3d& angular_impulse) {
    velocity += inverse_mass() * impulse;
    spin += inverse_inertia * angular_impulse;
}

void RigidBody::turn_freely(double dt, const Vec3d& angular_momentum) {
    const Vec3d momentum = transposed(rotation) * angular_momentum; // P, in the axes of the body
    Vec3d middle = momentum;
    constexpr int most_rounds = 50;
    for (int round = 0; round < most_rounds; ++round) { // contracts: dt |W| is well below 1
        const Vec3d next = momentum + (0.5 * dt) * cross(middle, inverse_at_rest * middle);
        const bool settled = length(next - middle) <= 1e-15 * length(momentum);
        middle = next;
        if (settled) break;
    }
    turn = normalized(turn * Quaternion{1, (0.5 * dt) * (inverse_at_rest * middle)});
    rotation = matrix_of(turn);
}

void RigidBody::move(double dt) {
    constexpr double most_angle = 0.1;                                        // in one composition
    constexpr double p = 0.41449077179437573, parts[]{p, p, 1 - 4 * p, p, p}; // p = 1 / (4 - 4^(1/3))
    center += dt * velocity;
    const Vec3d kept = angular_momentum();
    const int times = std::max(1, static_cast<int>(std::ceil(length(spin) * std::abs(dt) / most_angle)));
    for (int n = 0; n < times; ++n)
        for (const double part : parts) turn_freely(part * dt / times, kept);
    refresh();
    spin = inverse_inertia * kept;
}

void RigidBody::shift(const Vec3d& displacement, const Vec3d& turned) {
    if (held) return;
    const Vec3d kept = angular_momentum();
    center += displacement;
    turn = normalized(Quaternion{1, 0.5 * turned} * turn);
    refresh();
    spin = inverse_inertia * kept;
}

void RigidBody::take_mass(const RigidBody& of_points, bool turns, int dimensions) {
    const Vec3d way = rotation * (of_points.rest_center - rest_center);
    velocity = velocity_at(way);
    center += way;
    rest_center = of_points.rest_center;
    mass = of_points.mass;
    points_inverse_at_rest = of_points.points_inverse_at_rest;
    set_inertia(of_points.inertia + beyond_points, dimensions);
    if (!turns) inverse_at_rest = points_inverse_at_rest = {}, refresh();
}

void RigidBody::follow(const Pose& pose) {
    center = pose.point(rest_center);
    turn = turn_about(pose.axis, pose.angle);
    velocity = pose.velocity_at(center);
    spin = pose.angular_velocity;
    refresh();
}

bool all_alike(std::span<const Vec3d> velocities) {
    return std::all_of(velocities.begin(), velocities.end(), [&](const Vec3d& v) { return v == velocities.front(); });
}

void push_as(RigidBody& body, std::span<const MassPoint> points, std::span<const Vec3d> velocities) {
    Vec3d momentum, angular;
    for (std::size_t k = 0; k < points.size(); ++k) {
        momentum += points[k].mass * velocities[k];
        angular += points[k].mass * cross(points[k].position - body.center, velocities[k]);
    }
    body.push(momentum, angular);
}

void move_as(RigidBody& body, RigidBody given, std::span<const MassPoint> points, std::span<const Vec3d> velocities) {
    given.inverse_inertia = given.points_inverse;
    push_as(given, points, velocities);
    body.spin = given.spin;
    body.velocity = given.velocity_at(body.center - given.center);
}

const RigidBody* only_one_of(std::span<const RigidBody> bodies, std::size_t body) {
    const RigidBody* found = nullptr;
    for (const RigidBody& own : bodies) {
        if (own.body != body || own.left) continue;
        if (found) return nullptr;
        found = &own;
    }
    return found;
}

RigidBody body_of(std::span<const MassPoint> points, double edge, int dimensions) {
    RigidBody body;
    for (const MassPoint& p : points) {
        body.mass += p.mass;
        body.rest_center += p.mass * p.position;
    }
    body.rest_center *= 1 / body.mass;
    Matrix3 of_points;
    for (const MassPoint& p : points) {
        const Vec3d r = p.position - body.rest_center;
        of_points = of_points + p.mass * point_inertia(r);
        body.reach = std::max(body.reach, length(r));
    }
    const double own = body.mass * edge * edge / 6; // of a cube about any axis, of a square about z
    body.inertia = of_points + diagonal(own, own, own);
    body.inverse_at_rest = inverse_in(body.inertia, dimensions);
    // A row of particles has no inertia about its axis; nor can anything turn it about that.
    const double size = trace(of_points) / 3;
    if (dimensions == 3 && determinant(of_points) <= 1e-6 * size * size * size)
        of_points = of_points + diagonal(own, own, own);
    body.points_inverse_at_rest = inverse_in(of_points, dimensions);
    body.center = body.rest_center;
    body.refresh();
    return body;
}

} // namespace loam
