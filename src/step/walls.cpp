#include "step/walls.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/reductions.h"
#include "base/text.h"
#include "particles/sampling.h"
#include "passes/lattice.h"

namespace loam {
namespace {

// What a wall has beyond the end of a periodic axis is there already, as the image of what it has within. One that
// moves takes its period along, around its middle.
bool in_period(const SceneFacts& facts, const WallBody& wall, const Vec3d& p) {
    const Vec3d &period = facts.periodic_length, lo = wall.moves() ? wall.middle - 0.5 * period : facts.periodic_begin;
    for (std::size_t k = 0; k < 3; ++k)
        if (const double slack = 1e-9 * period[k];
            period[k] > 0 && (p[k] < lo[k] - slack || p[k] >= lo[k] + period[k] - slack))
            return false;
    return true;
}

// A wall at rest that goes through a periodic side must come in again at the other one. Nobody makes images of it:
// those that lie along the axis go on by themselves.
Status check_sides(const SceneFacts& facts, const WallBody& wall, const std::vector<SurfacePoint>& points) {
    const double step = 0.5 * facts.spacing;
    for (std::size_t k = 0; k < 3; ++k) {
        const double period = facts.periodic_length[k], begin = facts.periodic_begin[k];
        if (period <= 0) continue;
        for (const SurfacePoint& point : points)
            for (const auto& [side, inwards] : {std::pair{begin, 1.0}, {begin + period, -1.0}}) {
                if (std::abs(point.position[k] - side) > facts.spacing) continue;
                const auto solid = [&](double at) {
                    Vec3d p = point.position;
                    p[k] = at;
                    return wall.shape->distance(p) < 0;
                };
                if (solid(side - inwards * step) && solid(side + inwards * step) &&
                    !solid(side + inwards * (period - step)))
                    return Error{Fault::scene, "bodies." + facts.bodies[wall.body].name + ".shape",
                                 fmt::format("the wall goes out through the periodic side {} = {} and does not come in "
                                             "at the other one",
                                             "xyz"[k], number_text(side)),
                                 "move it, or join it with a copy one period away by \"union\""};
            }
    }
    return Done{};
}

// Of shapes without end: that of the domain.
Vec3d middle_of(const Shape& shape, const SceneFacts& facts) {
    Vec3d middle = shape.bounds().center();
    for (std::size_t k = 0; k < 3; ++k)
        if (!std::isfinite(middle[k]) || std::abs(middle[k]) > 1e9)
            middle[k] = facts.periodic_begin[k] + 0.5 * facts.periodic_length[k];
    return middle;
}

Status cover_with_particles(const SceneFacts& facts, WallBody& wall, Walls& walls) {
    const std::string where = "bodies." + facts.bodies[wall.body].name + ".shape";
    // Half a spacing below the surface: a fluid at rest stays half a spacing above it, so the lattice goes on.
    const auto points = cover(wall.animated ? *wall.animated : *wall.shape, facts.spacing, 0.5 * facts.spacing,
                              wall.values.integer("layers"), facts.dimensions);
    if (!points) {
        Error error = points.error();
        error.where = where;
        return error;
    }
    if (!wall.moves())
        if (Status whole = check_sides(facts, wall, *points); !whole) return whole;
    const double slip = slip_of(wall.values);
    wall.first_id = static_cast<std::uint32_t>(walls.size());
    for (const SurfacePoint& point : *points) {
        if (!in_period(facts, wall, point.position)) continue;
        if (wall.animated) wall.anchors.push_back(wall.animation()->anchored({&point.position, 1}).front());
        const std::size_t k = walls.append(1);
        walls[walls.id][k] = static_cast<std::uint32_t>(k);
        walls[walls.body][k] = wall.body;
        walls[walls.rest_position][k] = point.position;
        walls[walls.position][k] = wall.moves() ? facts.in_period(point.position) : point.position;
        walls[walls.velocity][k] = float4({}, slip);
        const double depth = (0.5 + point.layer) * facts.spacing;
        walls[walls.normal][k] = walls[walls.rest_normal][k] = float4(point.normal, point.on_edge ? -depth : depth);
    }
    return Done{};
}

double volume_scale(const Kernel& kernel, double spacing, int layers) {
    double sum = 0;
    for (int layer = 0; layer < layers; ++layer)
        each_layer_point(kernel, spacing, [&](int a, int b) {
            sum += kernel_value(kernel, spacing * std::sqrt(layer * layer + a * a + b * b));
        });
    return sum * lattice_volume(kernel, spacing);
}

void find_volumes(const SceneFacts& facts, Neighborhood& neighborhood, Walls& walls) {
    const NeighborList pairs = neighborhood.wall_pairs(walls);
    const auto position = walls[walls.position];
    const auto volume = walls[walls.volume];
    const auto body = walls[walls.body];
    std::vector<std::uint8_t> mirrors_pressure(facts.bodies.size(), 0);
    std::vector<double> scale(facts.bodies.size(), 0);
    for (const WallBody& wall : walls.bodies) {
        mirrors_pressure[wall.body] = wall.values.text("method") == "sph";
        scale[wall.body] = volume_scale(facts.kernel, facts.spacing, wall.values.integer("layers"));
    }
    parallel_each(walls.size(), [&](std::size_t i) {
        double crowd = kernel_value(facts.kernel, 0);
        for (std::uint32_t j : pairs.of(i)) {
            crowd += kernel_value(facts.kernel, length(shortest_way(position[i] - position[j], facts.periodic_length)));
        }
        volume[i] = mirrors_pressure[body[i]] ? static_cast<float>(scale[body[i]] / crowd) : 0;
    });
}

} // namespace

Status make_walls(const Scene& scene, const SceneFacts& facts, Neighborhood& neighborhood, Walls& walls) {
    for (std::uint32_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        if (!body.boundary || body.boundary->values.text("method") == "none") continue; // a guide
        const auto& [values, motion] = *body.boundary;
        walls.bodies.push_back({b, body.shape, motion, values, {}, contact_friction(values)});
        WallBody& wall = walls.bodies.back();
        wall.middle = middle_of(*body.shape, facts);
        if (animation_of(*body.shape)) wall.animated = body.shape, wall.shape = wall.shape_at(0);
        if (wall.moves()) wall.period = facts.periodic_length;
        wall.pose = wall.pose_at(0);
        if (Status covered = cover_with_particles(facts, wall, walls); !covered) return covered;
    }
    if (walls.size() > 0) find_volumes(facts, neighborhood, walls);
    return Done{};
}

void walls_in_first_order(Walls& walls, Neighborhood& neighborhood) {
    if (!walls.move()) return;
    const auto id = walls[walls.id];
    std::vector<std::uint32_t> source(walls.size());
    for (std::size_t i = 0; i < source.size(); ++i) source[id[i]] = static_cast<std::uint32_t>(i);
    walls.reorder(source);
    neighborhood.walls_moved();
}

void move_walls(Walls& walls, double time, const SceneFacts& facts, Neighborhood& neighborhood) {
    if (!walls.move()) return;
    std::vector<Pose> poses;              // by body of the scene
    std::vector<const WallBody*> bending; // as well
    for (WallBody& wall : walls.bodies) {
        wall.pose = wall.pose_at(time);
        wall.shape = wall.shape_at(time);
        poses.resize(std::max<std::size_t>(poses.size(), wall.body + 1));
        bending.resize(poses.size());
        poses[wall.body] = pose_at(wall.motion, time); // of its own points, not of images
        if (wall.animated) bending[wall.body] = &wall;
    }
    const auto id = walls[walls.id];
    const auto body = walls[walls.body];
    const auto position = walls[walls.position], rest = walls[walls.rest_position];
    const auto normal = walls[walls.normal], rest_normal = walls[walls.rest_normal];
    const auto velocity = walls[walls.velocity];
    parallel_each(walls.size(), [&](std::size_t i) {
        const Pose& pose = poses[body[i]];
        if (const WallBody* wall = bending[body[i]]) {
            const CarriedPoint at = AnimatedMesh::carried(wall->anchors[id[i] - wall->first_id],
                                                          static_cast<const MeshMoment&>(*wall->shape));
            const Vec3d now = pose.point(at.position);
            position[i] = facts.in_period(now);
            normal[i] = float4(pose.rotate(at.normal), rest_normal[i].w);
            velocity[i] = float4(pose.velocity_at(now) + pose.rotate(at.velocity), velocity[i].w);
            return;
        }
        const Vec3d now = pose.point(rest[i]);
        position[i] = facts.in_period(now);
        normal[i] = float4(pose.rotate(rest_normal[i].xyz_double()), rest_normal[i].w);
        velocity[i] = float4(pose.velocity_at(now), velocity[i].w);
    });
    neighborhood.walls_moved();
}

namespace {

constexpr int rounds_at_most = 4;   // of all walls
constexpr double on_surface = 1e-9; // metres: rounding, not penetration

// At the end of the step, of the surface near a place.
Vec3d surface_velocity(const WallBody& wall, const Shape& shape, const Pose& pose, const Vec3d& at) {
    const Vec3d rigid = pose.velocity_at(at);
    if (!wall.animated) return rigid;
    return rigid + pose.rotate(static_cast<const MeshMoment&>(shape).velocity(pose.point_at_rest(at)));
}

// Whether the particle was in the wall. Inside of combined and of curved shapes a distance may fall short of the way
// out, so one push may not be enough.
bool push_out(const WallBody& wall, const Shape& shape, const Pose& pose, Vec3d& position, Float4& velocity) {
    constexpr int most_pushes = 4;
    for (int push = 0; push < most_pushes; ++push) {
        const Vec3d rest = pose.point_at_rest(position);
        const double inside = shape.distance(rest);
        if (inside > -on_surface) return push > 0;
        const Vec3d normal = pose.rotate(shape.normal(rest));
        position += -inside * normal;
        const Vec3d relative = velocity.xyz_double() - surface_velocity(wall, shape, pose, position);
        if (const double into = dot(relative, normal); into < 0)
            velocity = float4(velocity.xyz_double() - into * normal, velocity.w);
    }
    return true;
}

// Above walls. Wall particles lie half a spacing deep, and no place on the wall is farther than a spacing from the next
// one.
double reach_of_lists(const SceneFacts& facts) {
    const double support = facts.kernel.support, spacing = facts.spacing;
    return std::sqrt(std::max(0.0, support * support - spacing * spacing)) - 0.5 * spacing;
}

} // namespace

std::size_t keep_out_of_walls(StepContext& step, double farthest) {
    const std::vector<WallBody>& walls = step.walls.bodies;
    if (walls.empty()) return 0;
    std::vector<Pose> poses;
    std::vector<ShapePtr> shapes;
    std::vector<std::uint8_t> goes_on;
    for (const WallBody& wall : walls) {
        shapes.push_back(wall.shape_at(step.time + step.dt));
        poses.push_back(wall.pose_at(step.time + step.dt));
        goes_on.push_back(wall.goes_on());
    }
    const bool some_go_on = std::find(goes_on.begin(), goes_on.end(), 1) != goes_on.end();
    Pool& pool = step.particles;
    const auto position = pool[pool.position];
    const auto velocity = pool[pool.velocity];
    const auto body = pool[pool.body];
    // Lists tell who is near a wall. Without them (velocity Verlet moves first, also right after births), or when
    // someone may have come to a wall from farther away, everyone is looked at.
    const bool told = step.neighbors->valid() && farthest < reach_of_lists(step.scene);
    const NeighborList::Entry* near = told ? step.neighbors->walls.entries() : nullptr;
    return parallel_reduce(
        pool.size(), std::size_t{0},
        [&](Range range) {
            std::size_t pushed = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                // A pin takes its particles where it shall: it would bring them back as fast as the step is short.
                if (step.traits[body[i]].own_contacts || pool.is_held(i)) continue;
                const bool far = near && near[i].count == 0;
                if (far && !some_go_on) continue;
                // Where walls meet, one pushes into the other: go round until none has to push.
                bool again = true;
                for (int round = 0; again && round < rounds_at_most; ++round) {
                    again = false;
                    for (std::size_t w = 0; w < walls.size(); ++w)
                        if (!far || goes_on[w])
                            again |= push_out(walls[w], *shapes[w], poses[w], position[i], velocity[i]);
                    pushed += again && round == 0;
                }
            }
            return pushed;
        },
        [](std::size_t a, std::size_t b) { return a + b; });
}

// Asks every wall about every particle that is free: what keep_out_of_walls() spares itself may have been wrong.
double deepest_in_walls(const StepContext& step) {
    const Pool& pool = step.particles;
    const auto position = pool[pool.position];
    double deepest = 0;
    for (const WallBody& wall : step.walls.bodies) {
        const Pose pose = wall.pose_at(step.time);
        const double depth = parallel_max(pool.size(), [&](std::size_t i) {
            return pool.is_held(i) ? 0 : -wall.shape->distance(pose.point_at_rest(position[i]));
        });
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

} // namespace loam
