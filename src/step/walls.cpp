// Walls: covered with particles at the start, moved in every step; and particles pushed back out of them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/reductions.h"
#include "base/text.h"
#include "step/simulation.h"

namespace loam {
namespace {

// What a wall has beyond the end of a periodic axis is there already, as the image of what it has within.
bool in_period(const Scene& scene, const Vec3d& periodic, const Vec3d& p) {
    const Vec3d lo = scene.domain.vector("min");
    for (std::size_t k = 0; k < 3; ++k)
        if (const double slack = 1e-9 * periodic[k];
            periodic[k] > 0 && (p[k] < lo[k] - slack || p[k] >= lo[k] + periodic[k] - slack))
            return false;
    return true;
}

} // namespace

Status Simulation::make_walls() {
    context_.wall_values.resize(scene_.bodies.size());
    for (std::uint32_t b = 0; b < scene_.bodies.size(); ++b) {
        const BodySpec& body = scene_.bodies[b];
        if (!body.boundary) continue;
        const auto& [values, motion] = *body.boundary;
        context_.wall_values[b] = values;
        if (values.text("method") == "none") {
            context_.guides.push_back({b, body.shape, motion});
            continue;
        }
        wall_bodies_.push_back({b, body.shape, motion, values});
        context_.walls_move |= motion.moves();
        context_.wall_surfaces.push_back({b, body.shape, pose_at(motion, 0), contact_friction(values)});
        if (Status covered = cover_with_particles(wall_bodies_.back()); !covered) return covered;
    }
    if (walls_.size() > 0) find_wall_volumes();
    return Done{};
}

Status Simulation::cover_with_particles(const WallBody& wall) {
    const auto points = cover_wall(wall, context_.spacing, context_.dimensions);
    if (!points) {
        Error error = points.error();
        error.where = "bodies." + scene_.bodies[wall.body].name + ".shape";
        return error;
    }
    if (Status whole = check_sides(wall, *points); !whole) return whole;
    const double slip = slip_of(wall.values);
    for (const SurfacePoint& point : *points) {
        if (!in_period(scene_, context_.periodic_length, point.position)) continue;
        const std::size_t k = walls_.append(1);
        walls_[walls_.id][k] = static_cast<std::uint32_t>(k);
        walls_[walls_.body][k] = wall.body;
        walls_[walls_.position][k] = walls_[walls_.rest_position][k] = point.position;
        walls_[walls_.velocity][k] = float4({}, slip);
        const double depth = (0.5 + point.layer) * context_.spacing;
        walls_[walls_.normal][k] = walls_[walls_.rest_normal][k] = float4(point.normal, point.on_edge ? -depth : depth);
    }
    return Done{};
}

// A wall that goes through a periodic side must come in again at the other one. Nobody makes images of walls: those
// that lie along the axis go on by themselves.
Status Simulation::check_sides(const WallBody& wall, const std::vector<SurfacePoint>& points) const {
    const double step = 0.5 * context_.spacing;
    for (std::size_t k = 0; k < 3; ++k) {
        const double period = context_.periodic_length[k], begin = context_.periodic_begin[k];
        if (period <= 0) continue;
        for (const SurfacePoint& point : points)
            for (const auto& [side, inwards] : {std::pair{begin, 1.0}, {begin + period, -1.0}}) {
                if (std::abs(point.position[k] - side) > context_.spacing) continue;
                const auto solid = [&](double at) {
                    Vec3d p = point.position;
                    p[k] = at;
                    return wall.shape->distance(p) < 0;
                };
                if (solid(side - inwards * step) && solid(side + inwards * step) &&
                    !solid(side + inwards * (period - step)))
                    return Error{Fault::scene, "bodies." + scene_.bodies[wall.body].name + ".shape",
                                 fmt::format("the wall goes out through the periodic side {} = {} and does not come in "
                                             "at the other one",
                                             "xyz"[k], number_text(side)),
                                 "move it, or join it with a copy one period away by \"union\""};
            }
    }
    return Done{};
}

void Simulation::find_wall_volumes() {
    const NeighborList pairs = neighborhood_->wall_pairs(walls_);
    const auto position = walls_[walls_.position];
    const auto volume = walls_[walls_.volume];
    const auto body = walls_[walls_.body];
    std::vector<std::uint8_t> mirrors_pressure(scene_.bodies.size(), 0);
    std::vector<double> scale(scene_.bodies.size(), 0);
    for (const WallBody& wall : wall_bodies_) {
        mirrors_pressure[wall.body] = wall.values.text("method") == "sph";
        scale[wall.body] = wall_volume_scale(context_.kernel, context_.spacing, wall.values.integer("layers"));
    }
    parallel_each(walls_.size(), [&](std::size_t i) {
        double crowd = kernel_value(context_.kernel, 0);
        for (std::uint32_t j : pairs.of(i)) {
            crowd += kernel_value(context_.kernel,
                                  length(shortest_way(position[i] - position[j], context_.periodic_length)));
        }
        volume[i] = mirrors_pressure[body[i]] ? static_cast<float>(scale[body[i]] / crowd) : 0;
    });
}

// Walls that move are sorted from the order of the step before, so their order has a history. A resumed run does not
// have it: both begin each frame from the order in which the walls were made.
void Simulation::walls_in_first_order() {
    if (!context_.walls_move) return;
    const auto id = walls_[walls_.id];
    std::vector<std::uint32_t> source(walls_.size());
    for (std::size_t i = 0; i < source.size(); ++i) source[id[i]] = static_cast<std::uint32_t>(i);
    walls_.reorder(source);
    neighborhood_->walls_moved();
}

void Simulation::move_walls() {
    if (!context_.walls_move) return;
    std::vector<Pose> poses(scene_.bodies.size());
    for (const WallBody& wall : wall_bodies_) poses[wall.body] = pose_at(wall.motion, context_.time);
    for (WallSurface& surface : context_.wall_surfaces) surface.pose = poses[surface.body];
    const auto body = walls_[walls_.body];
    const auto position = walls_[walls_.position], rest = walls_[walls_.rest_position];
    const auto normal = walls_[walls_.normal], rest_normal = walls_[walls_.rest_normal];
    const auto velocity = walls_[walls_.velocity];
    parallel_each(walls_.size(), [&](std::size_t i) {
        const Pose& pose = poses[body[i]];
        position[i] = pose.point(rest[i]);
        normal[i] = float4(pose.rotate(rest_normal[i].xyz_double()), rest_normal[i].w);
        velocity[i] = float4(pose.velocity_at(position[i]), velocity[i].w);
    });
    neighborhood_->walls_moved();
}

namespace {

constexpr int rounds_at_most = 4;   // of all walls
constexpr double on_surface = 1e-9; // metres: rounding, not penetration

// Whether the particle was in the wall. Inside of combined and of curved shapes a distance may fall short of the way
// out, so one push may not be enough.
bool push_out(const Shape& shape, const Pose& pose, Vec3d& position, Float4& velocity) {
    constexpr int most_pushes = 4;
    for (int push = 0; push < most_pushes; ++push) {
        const Vec3d rest = pose.point_at_rest(position);
        const double inside = shape.distance(rest);
        if (inside > -on_surface) return push > 0;
        const Vec3d normal = pose.rotate(shape.normal(rest));
        position += -inside * normal;
        const Vec3d relative = velocity.xyz_double() - pose.velocity_at(position);
        if (const double into = dot(relative, normal); into < 0)
            velocity = float4(velocity.xyz_double() - into * normal, velocity.w);
    }
    return true;
}

} // namespace

// Wall particles lie half a spacing deep, and no place on the wall is farther than a spacing from the next one.
double Simulation::lists_reach_above_walls() const {
    const double support = context_.kernel.support, spacing = context_.spacing;
    return std::sqrt(std::max(0.0, support * support - spacing * spacing)) - 0.5 * spacing;
}

// Pressure keeps particles off the walls; this catches those that came too fast, so that none ever ends up behind one.
void Simulation::keep_out_of_walls(double farthest) {
    if (wall_bodies_.empty()) return;
    std::vector<Pose> poses;
    std::vector<std::uint8_t> goes_on;
    for (const WallBody& wall : wall_bodies_) {
        poses.push_back(pose_at(wall.motion, context_.time + context_.dt));
        goes_on.push_back(wall.goes_on());
    }
    const bool some_go_on = std::find(goes_on.begin(), goes_on.end(), 1) != goes_on.end();
    const auto position = pool_[pool_.position];
    const auto velocity = pool_[pool_.velocity];
    const auto body = pool_[pool_.body];
    // Lists tell who is near a wall. Without them (velocity Verlet moves first, also right after births), or when
    // someone may have come to a wall from farther away, everyone is looked at.
    const bool told = neighborhood_->valid() && farthest < lists_reach_above_walls();
    const NeighborList::Entry* near = told ? neighborhood_->walls.entries() : nullptr;
    report_.pushed_back += parallel_reduce(
        pool_.size(), std::size_t{0},
        [&](Range range) {
            std::size_t pushed = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                // A pin takes its particles where it shall: it would bring them back as fast as the step is short.
                if (context_.own_contacts[body[i]] || context_.is_held(i)) continue;
                const bool far = near && near[i].count == 0;
                if (far && !some_go_on) continue;
                // Where walls meet, one pushes into the other: go round until none has to push.
                bool again = true;
                for (int round = 0; again && round < rounds_at_most; ++round) {
                    again = false;
                    for (std::size_t w = 0; w < wall_bodies_.size(); ++w)
                        if (!far || goes_on[w])
                            again |= push_out(*wall_bodies_[w].shape, poses[w], position[i], velocity[i]);
                    pushed += again && round == 0;
                }
            }
            return pushed;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
}

// Asks every wall about every particle that is free: what keep_out_of_walls() spares itself may have been wrong.
double Simulation::deepest_in_walls() const {
    const auto position = pool_[pool_.position];
    double deepest = 0;
    for (const WallBody& wall : wall_bodies_) {
        const Pose pose = pose_at(wall.motion, context_.time);
        const double depth = parallel_max(pool_.size(), [&](std::size_t i) {
            return context_.is_held(i) ? 0 : -wall.shape->distance(pose.point_at_rest(position[i]));
        });
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

} // namespace loam
