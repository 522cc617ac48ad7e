// Whether a scene can begin as it is laid out: bodies apart from each other and out of walls. Pressure would throw
// apart what is not, and walls would gather what lies beyond them into one layer.
#include <cmath>
#include <map>

#include "base/text.h"
#include "particles/sampling.h"
#include "scene/sheets.h"
#include "step/simulation.h"

namespace loam {
namespace {

constexpr double apart = 0.5;      // centers nearer than this share of the spacing overlap
constexpr double overlapping = 20; // an overlap is refused when it is more than one in so many of a body's particles
constexpr double too_coarse = 3;   // times its shape's volume that a body may fill
constexpr std::size_t few = 1000;  // particles; more of them have the shape's volume at least roughly
constexpr double buried = 1;       // depth in a wall, in spacings, from which a particle cannot have been meant there

std::string some_of(std::size_t count, std::size_t all) {
    return count == all ? "all of its " + std::to_string(all) + " particles lie"
                        : std::to_string(count) + " of its " + std::to_string(all) + " particles lie";
}

} // namespace

Status Simulation::check_start() {
    std::vector<std::size_t> counts(scene_.bodies.size(), 0);
    for (const std::uint32_t b : pool_[pool_.body]) ++counts[scene_.whole_body(b)];
    for (const auto check : {&Simulation::check_sizes, &Simulation::check_distance, &Simulation::check_domain,
                             &Simulation::check_walls, &Simulation::check_emitters, &Simulation::check_overlaps})
        if (Status good = (this->*check)(counts); !good) return good;
    return Done{};
}

// A few particles may stand for far more than the shape they were to fill.
Status Simulation::check_sizes(std::span<const std::size_t> counts) {
    const double space = std::pow(context_.spacing, context_.dimensions);
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const BodySpec& body = scene_.bodies[b];
        if (counts[b] == 0 || counts[b] > few || !body.shape || context_.flow.by_body()[b] <= 0) continue;
        const double volume = volume_of(*body.shape, context_.spacing, context_.dimensions);
        const double filled = static_cast<double>(counts[b]) * space;
        if (filled > too_coarse * volume)
            return Error{Fault::scene, "bodies." + body.name + ".shape",
                         "particles of radius " + number_text(scene_.radius()) +
                             " m are too large for it: " + std::to_string(counts[b]) + " of them would be " +
                             number_text(filled / volume) + " times the shape's volume",
                         "lower particle_radius, or make the shape larger"};
    }
    return Done{};
}

// Frames hold coordinates in single precision.
Status Simulation::check_distance(std::span<const std::size_t> /*counts*/) {
    constexpr double precision = 0x1p-23, coarse = 0.05; // of the spacing
    const double farthest = coarse * context_.spacing / precision;
    const auto body = pool_[pool_.body];
    const auto position = pool_[pool_.position];
    for (std::size_t i = 0; i < pool_.size(); ++i)
        if (const Vec3d& p = position[i]; std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > farthest)
            return Error{Fault::scene, "bodies." + scene_.bodies[body[i]].name,
                         "it lies so far from the origin that frames cannot tell its particles apart",
                         "bring the scene within " + number_text(std::floor(farthest)) +
                             " m of the origin, or make particle_radius larger"};
    return Done{};
}

// A domain may cut a body, but what would vanish as a whole was not meant to.
Status Simulation::check_domain(std::span<const std::size_t> counts) {
    const auto body = pool_[pool_.body];
    const auto position = pool_[pool_.position];
    const Bounds sides = open_sides();
    std::vector<std::size_t> outside(counts.size(), 0);
    for (std::size_t i = 0; i < pool_.size(); ++i) outside[scene_.whole_body(body[i])] += !sides.contains(position[i]);
    for (std::size_t b = 0; b < counts.size(); ++b)
        if (counts[b] > 0 && outside[b] == counts[b])
            return Error{Fault::scene, "bodies." + scene_.bodies[b].name,
                         some_of(outside[b], counts[b]) + " outside of the domain, where particles vanish",
                         "move the body, or change domain.min and domain.max"};
    return Done{};
}

Status Simulation::check_walls(std::span<const std::size_t> counts) {
    const auto body = pool_[pool_.body];
    const auto position = pool_[pool_.position];
    for (const WallBody& wall : wall_bodies_) {
        const Pose pose = pose_at(wall.motion, 0);
        std::vector<std::uint8_t> inside(pool_.size(), 0);
        parallel_each(pool_.size(), [&](std::size_t i) {
            inside[i] = !context_.is_held(i) && // pins are left where they are
                        wall.shape->distance(pose.point_at_rest(position[i])) < -buried * context_.spacing;
        });
        std::vector<std::size_t> in_wall(counts.size(), 0);
        for (std::size_t i = 0; i < pool_.size(); ++i) in_wall[scene_.whole_body(body[i])] += inside[i];
        for (std::size_t b = 0; b < counts.size(); ++b)
            if (in_wall[b] > 0)
                return Error{Fault::scene, "bodies." + scene_.bodies[b].name,
                             some_of(in_wall[b], counts[b]) + " inside of the wall bodies." +
                                 scene_.bodies[wall.body].name,
                             "make the body smaller, move it, or take the wall's shape out of its own with "
                             "\"difference\""};
    }
    return Done{};
}

// A mouth may reach into a wall, as in a nozzle, but what is let out within one stays there.
Status Simulation::check_emitters(std::span<const std::size_t> /*counts*/) {
    auto emitter = emitters_.begin();
    for (const BodySpec& body : scene_.bodies)
        for (const EmitterSpec& spec : body.emitters) {
            const std::string where = "bodies." + body.name + ".emitters." + spec.name;
            if (!emitter->reaches_into(open_sides()))
                return Error{Fault::scene, where, "all of it lies outside of the domain, where particles vanish",
                             "move it, or change domain.min and domain.max"};
            for (const WallBody& wall : wall_bodies_) {
                const Pose pose = pose_at(wall.motion, spec.values.number("start"));
                if (emitter->least_depth_in(*wall.shape, pose) > buried * context_.spacing)
                    return Error{Fault::scene, where,
                                 "all of it lies inside of the wall bodies." + scene_.bodies[wall.body].name,
                                 "move it, or take its place out of the wall's shape with \"difference\""};
            }
            ++emitter;
        }
    return Done{};
}

// Sheets are thin: what they displace is soon out of the way.
Status Simulation::check_overlaps(std::span<const std::size_t> counts) {
    const std::vector<BodySheet> sheets = sheets_of(scene_);
    neighborhood_->update(pool_, walls_);
    const auto body = pool_[pool_.body];
    std::vector<std::uint32_t> other(pool_.size(), 0); // 1 + the body that the particle overlaps
    const auto position = pool_[pool_.position];
    const double near = apart * context_.spacing;
    parallel_each(pool_.size(), [&](std::size_t i) {
        const std::size_t own = scene_.whole_body(body[i]);
        if (sheets[own].sheet) return;
        for (const std::uint32_t j : neighborhood_->particles.of(i)) {
            const std::size_t b = scene_.whole_body(body[j]);
            const Vec3d way = position[i] - position[j], shortest = shortest_way(way, context_.periodic_length);
            if ((b != own || way != shortest) && !sheets[b].sheet && length(shortest) < near)
                other[i] = static_cast<std::uint32_t>(b) + 1;
        }
    });
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> overlaps; // particles of the first within the second
    for (std::size_t i = 0; i < pool_.size(); ++i)
        if (other[i]) ++overlaps[{scene_.whole_body(body[i]), other[i] - 1}];
    for (const auto& [bodies, count] : overlaps) {
        const auto [a, b] = bodies;
        if (a == b)
            return Error{Fault::scene, "bodies." + scene_.bodies[a].name,
                         some_of(count, counts[a]) + " within its own image one period away",
                         "make it at most as long as the domain along periodic axes"};
        if (static_cast<double>(count) * overlapping > static_cast<double>(counts[a]))
            return Error{Fault::scene, "bodies." + scene_.bodies[a].name,
                         some_of(count, counts[a]) + " within bodies." + scene_.bodies[b].name +
                             ", and would be thrown apart",
                         "move one of the two, or take its shape out of the other's with \"difference\""};
    }
    return Done{};
}

} // namespace loam
