#include "particles/motion.h"

#include <numbers>

#include "base/turned.h"

namespace loam {
namespace {

constexpr double radians = std::numbers::pi / 180;

} // namespace

Vec3d Pose::rotate(const Vec3d& direction) const { return turned(direction, axis, angle); }
Vec3d Pose::rotate_back(const Vec3d& direction) const { return turned(direction, axis, -angle); }
Vec3d Pose::point(const Vec3d& at_rest) const { return pivot + translation + rotate(at_rest - pivot); }
Vec3d Pose::point_at_rest(const Vec3d& now) const { return pivot + rotate_back(image(now) - pivot - translation); }
Vec3d Pose::velocity_at(const Vec3d& now) const {
    return velocity + cross(angular_velocity, image(now) - pivot - translation);
}
Vec3d Pose::image(const Vec3d& now) const {
    return dot(period, period) > 0 ? image_near(now, point(middle), period) : now;
}

Pose pose_at(const Motion& motion, double time) {
    const double spin = 2 * std::numbers::pi * motion.turns_per_second;
    Pose pose;
    pose.pivot = motion.pivot;
    pose.axis = normalized(motion.axis);
    pose.translation = motion.translation.at(time) + time * motion.velocity;
    pose.angle = radians * motion.angle.at(time).x + spin * time;
    pose.velocity = motion.translation.rate(time) + motion.velocity;
    pose.angular_velocity = (radians * motion.angle.rate(time).x + spin) * pose.axis;
    return pose;
}

double top_speed(const Motion& motion, double reach, double from, double to) {
    const double slide = motion.translation.steepest(from, to), turn = radians * motion.angle.steepest(from, to);
    const double spin = 2 * std::numbers::pi * std::abs(motion.turns_per_second);
    return length(motion.velocity) + slide + reach * (spin + turn);
}

} // namespace loam
