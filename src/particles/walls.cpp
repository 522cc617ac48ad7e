#include "particles/walls.h"

#include <algorithm>
#include <limits>

namespace loam {

Walls::Walls() {
    id = declare<std::uint32_t>({.name = "id", .saved = true});
    body = declare<std::uint32_t>({.name = "body", .saved = true});
    position = declare<Vec3d>({.name = "position", .unit = "m", .saved = true});
    rest_position = declare<Vec3d>({.name = "rest_position", .unit = "m", .saved = true});
    rest_normal = declare<Float4>({.name = "rest_normal", .saved = true});
    velocity = declare<Float4>({.name = "velocity", .unit = "m/s", .saved = true});
    normal = declare<Float4>({.name = "normal", .saved = true});
    volume = declare<float>({.name = "volume", .unit = "m^3", .saved = true});
    place = declare<Float4>({.name = "place", .unit = "m"});
}

double slip_of(const Values& boundary) {
    const std::string& slip = boundary.text("slip");
    return slip == "free" ? 0 : slip == "no" ? -1 : boundary.number("friction");
}

double contact_friction(const Values& boundary) {
    const std::string& slip = boundary.text("slip");
    return slip == "free" ? -1 : slip == "no" ? std::numeric_limits<double>::infinity() : boundary.number("friction");
}

Pose WallBody::pose_at(double time) const {
    Pose now = loam::pose_at(motion, time);
    now.middle = middle, now.period = period;
    return now;
}

Vec3d WallBody::velocity_at(const Vec3d& now) const {
    const Vec3d rigid = pose.velocity_at(now);
    if (!animated) return rigid;
    const auto& moment = static_cast<const MeshMoment&>(*shape); // as move_walls() has left it
    return rigid + pose.rotate(moment.velocity(pose.point_at_rest(now)));
}

bool WallBody::goes_on() const { return !shape->on_patch({1e9, 1.1e9, 1.2e9}); }

bool Walls::move() const {
    return std::any_of(bodies.begin(), bodies.end(), [](const WallBody& wall) { return wall.moves(); });
}

} // namespace loam
