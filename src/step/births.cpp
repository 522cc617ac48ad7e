// Births at emitters; deaths in drains and beyond open sides; particles pushed back out of walls.
#include <cmath>
#include <limits>

#include "step/simulation.h"

namespace loam {

// Without an end along periodic axes: nothing gets out there.
Bounds Simulation::open_sides() const {
    Bounds sides{scene_.domain.vector("min"), scene_.domain.vector("max")};
    constexpr double endless = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k)
        if (context_.periodic_length[k] > 0) sides.lo[k] = -endless, sides.hi[k] = endless;
    return sides;
}

void Simulation::births_and_deaths() {
    std::vector<Pool::Birth> births;
    for (Emitter& emitter : emitters_) {
        const std::vector<Pool::Birth> some = emitter.emit(context_.time);
        births.insert(births.end(), some.begin(), some.end());
    }

    const Bounds sides = open_sides();
    const auto ends = [](const Vec3d& v) { return std::isfinite(v.x) || std::isfinite(v.y) || std::isfinite(v.z); };
    if (ends(sides.lo) || ends(sides.hi) || !scene_.drains.empty()) {
        std::vector<std::uint8_t> alive(pool_.size(), 1);
        const auto position = pool_[pool_.position];
        const auto body = pool_[pool_.body];
        parallel_each(pool_.size(), [&](std::size_t i) {
            const Vec3d& p = position[i];
            alive[i] = sides.contains(p);
            for (std::size_t d = 0; d < scene_.drains.size() && alive[i]; ++d)
                if (drain_takes_[d][body[i]] && scene_.drains[d].shape->distance(p) < 0) alive[i] = 0;
        });
        const std::size_t before = pool_.size();
        pool_.bury(alive);
        report_.died += before - pool_.size();
        if (pool_.size() != before) neighborhood_->invalidate();
    }
    if (!births.empty()) {
        pool_.give_birth(births);
        report_.born += births.size();
        neighborhood_->invalidate();
    }
    for (auto& behavior : behaviors_)
        if (behavior->births_and_deaths(context_)) neighborhood_->invalidate();
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

// Pressure keeps particles off the walls; this catches those that came too fast, so that none ever ends up behind one.
void Simulation::keep_out_of_walls(double farthest) {
    if (wall_bodies_.empty()) return;
    std::vector<Pose> poses;
    for (const WallBody& wall : wall_bodies_) poses.push_back(pose_at(wall.motion, context_.time + context_.dt));
    const auto position = pool_[pool_.position];
    const auto velocity = pool_[pool_.velocity];
    const auto body = pool_[pool_.body];
    // Lists tell who is near a wall. Without them (velocity Verlet moves first, also right after births, or after a
    // restart), or when someone may have come to a wall from farther away, everyone is looked at.
    const bool told = neighborhood_->valid() && farthest < context_.spacing;
    const NeighborList::Entry* near = told ? neighborhood_->walls.entries() : nullptr;
    report_.pushed_back += parallel_reduce(
        pool_.size(), std::size_t{0},
        [&](Range range) {
            std::size_t pushed = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                // A pin takes its particles where it shall: it would bring them back as fast as the step is short.
                if ((near && near[i].count == 0) || context_.own_contacts[body[i]] || context_.is_held(i)) continue;
                // Where walls meet, one pushes into the other: go round until none has to push.
                bool again = true;
                for (int round = 0; again && round < rounds_at_most; ++round) {
                    again = false;
                    for (std::size_t w = 0; w < wall_bodies_.size(); ++w)
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
        deepest = parallel_reduce(
            pool_.size(), deepest,
            [&](Range range) {
                double depth = 0;
                for (std::size_t i = range.begin; i != range.end; ++i)
                    if (!context_.is_held(i))
                        depth = std::max(depth, -wall.shape->distance(pose.point_at_rest(position[i])));
                return depth;
            },
            [](double a, double b) { return std::max(a, b); });
    }
    return deepest;
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

} // namespace loam
