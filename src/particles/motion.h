// How a body that is moved by the scene moves: steady velocity and spin, plus keys. A point p at rest goes to
//
//     x(t) = pivot + translation(t) + R(axis, angle(t)) (p - pivot)
//
// with translation and angle the sums of the steady part and of the keys. Velocities are the exact derivatives.
#pragma once

#include "base/track.h"
#include "base/vec.h"

namespace loam {

struct Motion {
    Track translation; // over time
    Track angle;       // over time: degrees about `axis` through `pivot`; more than 360 is more turns
    Vec3d pivot;
    Vec3d axis{0, 1, 0};
    Vec3d velocity;              // steady, from time 0 on, added to the keys
    double turns_per_second = 0; // steady spin about axis through pivot, added to the keys

    bool moves() const {
        return translation.keys.size() > 1 || angle.keys.size() > 1 || turns_per_second != 0 ||
               dot(velocity, velocity) > 0;
    }
};

// Where a moving body is at one moment, and how fast.
struct Pose {
    Vec3d pivot;            // at rest
    Vec3d translation;      // of the pivot
    Vec3d axis{0, 1, 0};    // unit
    double angle = 0;       // radians
    Vec3d velocity;         // of the pivot
    Vec3d angular_velocity; // [rad/s]
    // What moves along periodic axes repeats: a point that is now somewhere counts as its image nearest to the middle
    // of the body, which is given at rest. 0 along other axes.
    Vec3d middle, period;

    Vec3d rotate(const Vec3d& direction) const;      // from rest to now
    Vec3d rotate_back(const Vec3d& direction) const; // from now to rest
    Vec3d point(const Vec3d& at_rest) const;         // where a point of the body is now
    Vec3d point_at_rest(const Vec3d& now) const;     // the inverse
    Vec3d velocity_at(const Vec3d& now) const;       // of the body's point that is now here
    Vec3d image(const Vec3d& now) const;             // nearest to the middle
};

Pose pose_at(const Motion& motion, double time);

// A bound of how fast any point of a body within `reach` of the pivot moves between two times.
double top_speed(const Motion& motion, double reach, double from, double to);

} // namespace loam
