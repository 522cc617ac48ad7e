#include "particles/motion.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace loam {
namespace {

constexpr double radians = std::numbers::pi / 180;

Vec3d rotated(const Vec3d& p, const Vec3d& axis, double angle) { // Rodrigues
    const double c = std::cos(angle), s = std::sin(angle);
    return c * p + s * cross(axis, p) + ((1 - c) * dot(axis, p)) * axis;
}

// Translation and angle as one record, so that they are interpolated by one piece of code.
struct Track {
    std::array<double, 4> value{}, rate{};
};

std::array<double, 4> components(const MotionKey& key) {
    return {key.translation.x, key.translation.y, key.translation.z, key.angle * radians};
}

// Slope at a key of a monotone cubic (Fritsch & Butland 1984): zero at ends and extremes, so nothing overshoots.
double slope_at(const std::vector<MotionKey>& keys, std::size_t i, std::size_t component) {
    if (i == 0 || i + 1 == keys.size()) return 0;
    const double before = keys[i].time - keys[i - 1].time, after = keys[i + 1].time - keys[i].time;
    const double here = components(keys[i])[component];
    const double left = (here - components(keys[i - 1])[component]) / before;
    const double right = (components(keys[i + 1])[component] - here) / after;
    if (left * right <= 0) return 0;
    return 3 * (before + after) / ((2 * after + before) / left + (after + 2 * before) / right);
}

Track between(const std::vector<MotionKey>& keys, std::size_t i, double time, bool smooth) {
    const double span = keys[i + 1].time - keys[i].time, s = (time - keys[i].time) / span;
    const auto a = components(keys[i]), b = components(keys[i + 1]);
    Track track;
    for (std::size_t k = 0; k != 4; ++k) {
        const double rise = b[k] - a[k];
        if (!smooth) {
            track.value[k] = a[k] + s * rise;
            track.rate[k] = rise / span;
            continue;
        }
        const double u = slope_at(keys, i, k) * span, v = slope_at(keys, i + 1, k) * span;
        track.value[k] = a[k] + s * (u + s * (3 * rise - 2 * u - v + s * (u + v - 2 * rise)));
        track.rate[k] = (u + s * (2 * (3 * rise - 2 * u - v) + s * 3 * (u + v - 2 * rise))) / span;
    }
    return track;
}

Track track_at(const Motion& motion, double time) {
    const std::vector<MotionKey>& keys = motion.keys;
    if (keys.empty()) return {};
    if (time < keys.front().time) return {components(keys.front()), {}};
    if (time >= keys.back().time) return {components(keys.back()), {}};
    const auto next =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const MotionKey& key) { return t < key.time; });
    return between(keys, static_cast<std::size_t>(next - keys.begin()) - 1, time, motion.smooth);
}

} // namespace

Vec3d Pose::rotate(const Vec3d& direction) const { return rotated(direction, axis, angle); }
Vec3d Pose::rotate_back(const Vec3d& direction) const { return rotated(direction, axis, -angle); }
Vec3d Pose::point(const Vec3d& at_rest) const { return pivot + translation + rotate(at_rest - pivot); }
Vec3d Pose::point_at_rest(const Vec3d& now) const { return pivot + rotate_back(now - pivot - translation); }
Vec3d Pose::velocity_at(const Vec3d& now) const {
    return velocity + cross(angular_velocity, now - pivot - translation);
}

Pose pose_at(const Motion& motion, double time) {
    const Track track = track_at(motion, time);
    const double spin = 2 * std::numbers::pi * motion.turns_per_second;
    Pose pose;
    pose.pivot = motion.pivot;
    pose.axis = normalized(motion.axis);
    pose.translation = Vec3d{track.value[0], track.value[1], track.value[2]} + time * motion.velocity;
    pose.angle = track.value[3] + spin * time;
    pose.velocity = Vec3d{track.rate[0], track.rate[1], track.rate[2]} + motion.velocity;
    pose.angular_velocity = (track.rate[3] + spin) * pose.axis;
    return pose;
}

double top_speed(const Motion& motion, double reach, double from, double to) {
    double slide = 0, turn = 0; // fastest that the keys go
    for (std::size_t i = 0; i + 1 < motion.keys.size(); ++i) {
        const MotionKey &a = motion.keys[i], &b = motion.keys[i + 1];
        if (b.time < from || a.time > to) continue;
        // A monotone cubic is at most three times as steep as the straight line.
        const double steepness = (motion.smooth ? 3 : 1) / (b.time - a.time);
        slide = std::max(slide, steepness * length(b.translation - a.translation));
        turn = std::max(turn, steepness * std::abs(b.angle - a.angle) * radians);
    }
    const double spin = 2 * std::numbers::pi * std::abs(motion.turns_per_second);
    return length(motion.velocity) + slide + reach * (spin + turn);
}

} // namespace loam
