#include "behaviors/rigid/contact.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace loam {
namespace {

struct Pair {
    std::uint32_t first, second; // the second may be a wall: number of bodies + its index
};

double top_speed(const RigidBody& body) { return length(body.velocity) + body.reach * length(body.spin); }

class Finder {
public:
    explicit Finder(const ContactSearch& search) : s_(search) {}

    std::vector<RigidContact> all() const {
        const std::vector<Pair> pairs = near_pairs();
        std::vector<std::vector<RigidContact>> found(pairs.size());
        parallel_blocks(pairs.size(), 1, [&](Range, std::size_t k) { meet(pairs[k], found[k]); });
        std::vector<RigidContact> contacts;
        for (const auto& some : found) contacts.insert(contacts.end(), some.begin(), some.end());
        return contacts;
    }

private:
    // Balls around the bodies, swept along x: the pairs whose balls may meet.
    std::vector<Pair> near_pairs() const {
        const auto count = static_cast<std::uint32_t>(s_.bodies.size());
        std::vector<std::uint32_t> order(count);
        for (std::uint32_t k = 0; k < count; ++k) order[k] = k;
        const auto ball = [&](std::uint32_t k) { return s_.bodies[k].reach + margin(k); };
        const auto least = [&](std::uint32_t k) { return s_.bodies[k].center.x - ball(k); };
        const bool wraps = s_.periodic_length.x > 0; // then the sweep has no order; there are few bodies in such scenes
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return !wraps && least(a) < least(b); });
        std::vector<Pair> pairs;
        for (std::uint32_t k = 0; k < count; ++k) {
            const std::uint32_t a = order[k];
            if (s_.bodies[a].left) continue;
            for (std::uint32_t n = k + 1; n < count; ++n) {
                const std::uint32_t b = order[n];
                if (!wraps && least(b) > s_.bodies[a].center.x + ball(a)) break;
                if (s_.bodies[b].left || (s_.bodies[a].held && s_.bodies[b].held)) continue;
                const Vec3d way = shortest_way(s_.bodies[b].center - s_.bodies[a].center, s_.periodic_length);
                const double touch = ball(a) + ball(b);
                if (dot(way, way) < touch * touch) pairs.push_back({std::min(a, b), std::max(a, b)});
            }
        }
        std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) {
            return a.first != b.first ? a.first < b.first : a.second < b.second;
        });
        add_walls(pairs);
        return pairs;
    }

    void add_walls(std::vector<Pair>& pairs) const {
        const auto count = static_cast<std::uint32_t>(s_.bodies.size());
        for (std::uint32_t b = 0; b < count; ++b) {
            if (s_.bodies[b].held || s_.bodies[b].left) continue;
            for (std::uint32_t w = 0; w < s_.walls.size(); ++w) {
                const WallBody& wall = s_.walls[w];
                const Vec3d center = in_period(s_.bodies[b].center);
                const double away = wall.shape->distance(wall.pose.point_at_rest(center));
                const double swept = s_.dt * length(wall.pose.velocity_at(center));
                const bool near_edge = s_.periodic_length.x + s_.periodic_length.y + s_.periodic_length.z > 0;
                if (near_edge || away < s_.bodies[b].reach + margin(b) + swept) pairs.push_back({b, count + w});
            }
        }
    }

    double margin(std::uint32_t k) const { return s_.reach + s_.dt * top_speed(s_.bodies[k]); }

    Vec3d in_period(const Vec3d& p) const { return image_within(p, s_.periodic_begin, s_.periodic_length); }

    void meet(const Pair& pair, std::vector<RigidContact>& contacts) const {
        if (pair.second >= s_.bodies.size()) return meet_wall(pair, contacts);
        meet_body(pair.first, pair.second, contacts);
        meet_body(pair.second, pair.first, contacts);
    }

    // Points of `a` against the shape of `b`.
    void meet_body(std::uint32_t a, std::uint32_t b, std::vector<RigidContact>& contacts) const {
        const RigidBody &own = s_.bodies[a], &other = s_.bodies[b];
        const Vec3d way = shortest_way(own.center - other.center, s_.periodic_length);
        const double reach = margin(a) + margin(b) - s_.reach;
        const Shape& shape = *s_.geometry[b].shape;
        const Matrix3 back = transposed(other.rotation);
        std::vector<RigidContact> candidates;
        for (std::uint32_t k = 0; k < s_.geometry[a].points.size(); ++k) {
            const SurfaceSphere& point = s_.geometry[a].points[k];
            const Vec3d arm = own.rotation * point.arm, from_other = way + arm;
            const double ball = other.reach + reach + point.radius;
            if (dot(from_other, from_other) > ball * ball) continue;
            const Vec3d at = other.rest_center + back * from_other;
            const double gap = shape.distance(at) - point.radius;
            if (gap > reach) continue;
            RigidContact c;
            c.key = {a, k, b};
            c.normal = other.rotation * shape.normal(at);
            c.arm = arm - point.radius * c.normal;
            c.other_arm = from_other - (point.radius + gap) * c.normal;
            c.gap = gap;
            candidates.push_back(c);
        }
        keep_some(candidates, a, combined(own.body, other.body), contacts);
    }

    void meet_wall(const Pair& pair, std::vector<RigidContact>& contacts) const {
        const RigidBody& own = s_.bodies[pair.first];
        const WallBody& wall = s_.walls[pair.second - s_.bodies.size()];
        std::vector<RigidContact> candidates;
        for (std::uint32_t k = 0; k < s_.geometry[pair.first].points.size(); ++k) {
            const SurfaceSphere& point = s_.geometry[pair.first].points[k];
            const Vec3d arm = own.rotation * point.arm, now = in_period(own.center + arm);
            const Vec3d at = wall.pose.point_at_rest(now);
            const double gap = wall.shape->distance(at) - point.radius;
            if (gap > margin(pair.first) + s_.dt * length(wall.pose.velocity_at(now))) continue;
            RigidContact c;
            c.key = {pair.first, k, pair.second};
            c.with_wall = true;
            c.normal = wall.pose.rotate(wall.shape->normal(at));
            c.arm = arm - point.radius * c.normal;
            c.wall_velocity = wall.pose.velocity_at(now - point.radius * c.normal);
            c.gap = gap;
            candidates.push_back(c);
        }
        SurfaceValues values = s_.values[own.body];
        // Fluids and cloth stick to a wall without slip; a rigid body slides there with its own friction.
        if (wall.friction >= 0 && std::isfinite(wall.friction))
            values.friction = std::sqrt(values.friction * wall.friction);
        keep_some(candidates, pair.first, values, contacts);
    }

    SurfaceValues combined(std::uint32_t a, std::uint32_t b) const {
        const SurfaceValues &u = s_.values[a], &v = s_.values[b];
        return {std::sqrt(u.friction * v.friction), std::max(u.restitution, v.restitution)};
    }

    // The deepest, and those furthest out in fixed directions of the body: for a face its corners. The same ones stay
    // from step to step, so that their impulses are good first guesses.
    void keep_some(const std::vector<RigidContact>& candidates, std::uint32_t owner, const SurfaceValues& values,
                   std::vector<RigidContact>& contacts) const {
        if (candidates.empty()) return;
        std::vector<std::uint8_t> kept(candidates.size(), 0);
        const auto keep_best = [&](const auto& score) {
            std::size_t best = 0;
            for (std::size_t k = 1; k < candidates.size(); ++k)
                if (score(candidates[k]) > score(candidates[best])) best = k;
            kept[best] = 1;
        };
        keep_best([](const RigidContact& c) { return -c.gap; });
        const auto& points = s_.geometry[owner].points;
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    if (x == 0 && y == 0 && z == 0) continue;
                    const Vec3d way{x + 0.01 * y, y + 0.01 * z, z + 0.01 * x}; // slightly off: no ties on faces
                    keep_best([&](const RigidContact& c) { return dot(way, points[c.key.point].arm); });
                }
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            if (!kept[k]) continue;
            contacts.push_back(candidates[k]);
            contacts.back().friction = values.friction;
            contacts.back().restitution = values.restitution;
        }
    }

    const ContactSearch& s_;
};

} // namespace

std::vector<RigidContact> find_contacts(const ContactSearch& search) { return Finder(search).all(); }

} // namespace loam
