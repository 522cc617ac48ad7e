#include "behaviors/rigid/contact.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"

namespace loam {
namespace {

constexpr double apart = 3;     // reaches; points nearer than this touch as one
constexpr double as_deep = 0.1; // reaches; smaller differences of depth do not matter

struct Pair {
    std::uint32_t first, second; // the second may be a wall: number of bodies + its index
};

double top_speed(const RigidBody& body) { return length(body.velocity) + body.reach * length(body.spin); }

// How another body looks from a body: places are arms from the own center.
class FacingBody {
public:
    FacingBody(const ContactSearch& search, const ContactKey& key, double reach)
        : other_(search.bodies[key.other]), shape_(*search.surfaces[key.other].shape),
          back_(transposed(other_.rotation)), reach_(reach),
          way_(shortest_way(search.bodies[key.owner].center - other_.center, search.periodic_length)) {}

    // By more than the room given, from a ball around it: no need to look closer.
    bool beyond(const Vec3d& arm, double room) const {
        const Vec3d from = way_ + arm;
        return dot(from, from) > (other_.reach + room) * (other_.reach + room);
    }
    double distance(const Vec3d& arm) const { return shape_.distance(at_rest(arm)); }
    Vec3d away(const Vec3d& arm) const { return other_.rotation * shape_.normal(at_rest(arm)); }
    double reach(const Vec3d&) const { return reach_; }
    void complete(RigidContact& c) const { c.other_arm = way_ + c.arm - c.gap * c.normal; }

private:
    Vec3d at_rest(const Vec3d& arm) const { return other_.rest_center + back_ * (way_ + arm); }

    const RigidBody& other_;
    const Shape& shape_;
    Matrix3 back_;
    double reach_;
    Vec3d way_;
};

// And how a wall looks.
struct FacingWall {
    const WallBody& wall;
    const ContactSearch& search;
    Vec3d center;      // of the body
    double margin = 0; // of the body

    Vec3d now(const Vec3d& arm) const {
        return image_within(center + arm, search.periodic_begin, search.periodic_length);
    }
    bool beyond(const Vec3d&, double) const { return false; }
    double distance(const Vec3d& arm) const { return wall.shape->distance(wall.pose.point_at_rest(now(arm))); }
    Vec3d away(const Vec3d& arm) const {
        return wall.pose.rotate(wall.shape->normal(wall.pose.point_at_rest(now(arm))));
    }
    double reach(const Vec3d& arm) const { return margin + search.dt * length(wall.velocity_at(now(arm))); }
    void complete(RigidContact& c) const {
        c.with_wall = true;
        c.wall_velocity = wall.velocity_at(now(c.arm));
    }
};

// The points of a body against the shape of what it faces. Points of a bent surface slide to where it touches first.
template <class Facing> class Meeting {
public:
    Meeting(const ContactSearch& search, const ContactKey& key, const Facing& other, const SurfaceValues& values)
        : s_(search), own_(search.bodies[key.owner]), surface_(search.surfaces[key.owner]), other_(other),
          back_(transposed(own_.rotation)) {
        pattern_.key = key, pattern_.friction = values.friction, pattern_.restitution = values.restitution;
    }

    void add_to(std::vector<RigidContact>& contacts) const {
        const std::size_t before = contacts.size();
        for (const TouchPoint* start : furthest_out(candidates())) {
            TouchPoint point = *start;
            const auto slid = point.bend > 0 ? slide(*surface_.shape, point, [&](const Vec3d& at) { return look(at); })
                                             : std::nullopt;
            if (slid) point = *slid;
            RigidContact c = contact_at(point);
            // What could not slide to where it touches counts only where it is in the way.
            if (c.gap > (point.bend > 0 && !slid ? 0 : other_.reach(c.arm))) continue;
            other_.complete(c);
            add_or_merge(c, before, contacts);
        }
    }

private:
    struct Candidate {
        const TouchPoint* point;
        double gap;
    };

    Vec3d arm_of(const Vec3d& at_rest) const { return own_.rotation * (at_rest - own_.rest_center); }

    Nearness look(const Vec3d& at) const {
        const Vec3d arm = arm_of(at);
        return {other_.distance(arm), back_ * other_.away(arm)};
    }

    RigidContact contact_at(const TouchPoint& point) const {
        const Vec3d arm = arm_of(point.at), tip = own_.rotation * point.tip;
        const RigidContact c = contact_at(arm, tip, point.radius);
        if (!point.sharp()) return c;
        // A tip that hangs over an edge of the face seen from inside: there the face ends.
        const double away = other_.distance(c.arm);
        if (!(away > std::max(c.gap, 0.0))) return c;
        const Vec3d way = away * other_.away(c.arm), normal = other_.away(arm - way); // of the face before its end
        const Vec3d over = way - dot(way, normal) * normal;
        return dot(over, over) < dot(tip, tip) ? contact_at(arm - over, tip, 0) : contact_at(arm + tip, {}, 0);
    }
    RigidContact contact_at(const Vec3d& arm, const Vec3d& tip, double radius) const {
        RigidContact c = pattern_;
        c.normal = other_.away(arm);
        c.arm = arm + tip - radius * c.normal;
        c.gap = other_.distance(arm) - radius + dot(tip, c.normal);
        return c;
    }

    std::vector<Candidate> candidates() const {
        std::vector<Candidate> near;
        for (const TouchPoint& point : surface_.points) {
            const Vec3d arm = arm_of(point.at);
            const double room = other_.reach(arm) + point.below() + point.sag;
            if (other_.beyond(arm, room)) continue;
            const double away = other_.distance(arm);
            if (away > room) continue;
            const double gap = point.bend > 0 ? away - point.below() : contact_at(point).gap;
            if (gap < other_.reach(arm) + point.sag) near.push_back({&point, gap});
        }
        return near;
    }

    // Those furthest out in fixed directions of the body, for a face its corners; and the deepest, if none of them is
    // as deep.
    std::vector<const TouchPoint*> furthest_out(const std::vector<Candidate>& candidates) const {
        std::vector<Candidate> some;
        if (candidates.empty()) return {};
        const auto keep_best = [&](const auto& score) {
            std::size_t best = 0;
            double most = score(candidates[0]);
            for (std::size_t k = 1; k < candidates.size(); ++k)
                if (const double own = score(candidates[k]); own > most) best = k, most = own;
            some.push_back(candidates[best]);
        };
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    if (x == 0 && y == 0 && z == 0) continue;
                    const Vec3d way{x + 0.01 * y + 1e-4 * z, y + 0.01 * z + 1e-4 * x,
                                    z + 0.01 * x + 1e-4 * y}; // slightly off: no ties on faces
                    keep_best([&](const Candidate& c) { return dot(way, c.point->at + c.point->tip); });
                }
        const auto deeper = [](const Candidate& a, const Candidate& b) { return a.gap < b.gap; };
        const double deep = std::min_element(some.begin(), some.end(), deeper)->gap;
        const Candidate& deepest = *std::min_element(candidates.begin(), candidates.end(), deeper);
        if (deepest.gap < deep - as_deep * s_.reach) some.push_back(deepest);
        std::vector<const TouchPoint*> points;
        for (const Candidate& c : some) points.push_back(c.point);
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        return points;
    }

    // Points that slid to the same place are one contact.
    void add_or_merge(const RigidContact& c, std::size_t begin, std::vector<RigidContact>& contacts) const {
        for (std::size_t k = begin; k < contacts.size(); ++k) {
            RigidContact& found = contacts[k];
            if (length(found.arm - c.arm) > apart * s_.reach || dot(found.normal, c.normal) < 0.9) continue;
            if (c.gap < found.gap) found = c;
            return;
        }
        contacts.push_back(c);
    }

    const ContactSearch& s_;
    const RigidBody& own_;
    const SolidSurface& surface_;
    const Facing& other_;
    Matrix3 back_;
    RigidContact pattern_;
};

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
                const double swept = s_.dt * length(wall.velocity_at(center));
                const bool near_edge = s_.periodic_length.x + s_.periodic_length.y + s_.periodic_length.z > 0;
                if (near_edge || away < s_.bodies[b].reach + margin(b) + swept) pairs.push_back({b, count + w});
            }
        }
    }

    double margin(std::uint32_t k) const { return s_.reach + s_.dt * top_speed(s_.bodies[k]); }

    Vec3d in_period(const Vec3d& p) const { return image_within(p, s_.periodic_begin, s_.periodic_length); }

    void meet(const Pair& pair, std::vector<RigidContact>& contacts) const {
        const RigidBody& first = s_.bodies[pair.first];
        if (pair.second >= s_.bodies.size()) {
            const WallBody& wall = s_.walls[pair.second - s_.bodies.size()];
            const FacingWall facing{wall, s_, first.center, margin(pair.first)};
            Meeting(s_, {pair.first, pair.second}, facing, against(wall, first.body)).add_to(contacts);
            return;
        }
        const double reach = margin(pair.first) + margin(pair.second) - s_.reach;
        const SurfaceValues values = combined(first.body, s_.bodies[pair.second].body);
        for (const ContactKey key : {ContactKey{pair.first, pair.second}, ContactKey{pair.second, pair.first}})
            Meeting(s_, key, FacingBody(s_, key, reach), values).add_to(contacts);
    }

    SurfaceValues combined(std::uint32_t a, std::uint32_t b) const {
        const SurfaceValues &u = s_.values[a], &v = s_.values[b];
        return {std::sqrt(u.friction * v.friction), std::max(u.restitution, v.restitution)};
    }
    SurfaceValues against(const WallBody& wall, std::uint32_t body) const {
        SurfaceValues values = s_.values[body];
        // Fluids and cloth stick to a wall without slip; a rigid body slides there with its own friction.
        if (wall.friction >= 0 && std::isfinite(wall.friction))
            values.friction = std::sqrt(values.friction * wall.friction);
        return values;
    }

    const ContactSearch& s_;
};

} // namespace

std::vector<RigidContact> find_contacts(const ContactSearch& search) { return Finder(search).all(); }

} // namespace loam
