// Whether a scene can begin as it is laid out: bodies apart from each other and out of walls. Pressure would throw
// apart what is not, and walls would gather what lies beyond them into one layer.
#include <cmath>
#include <map>

#include "base/text.h"
#include "particles/moments.h"
#include "step/start.h"

namespace loam {
namespace {

constexpr double apart = 0.5;      // centers nearer than this share of the spacing overlap
constexpr double within = 0.25;    // depth in another body's shape, in spacings, from which a particle overlaps it
constexpr double overlapping = 20; // an overlap is refused when it is more than one in so many of a body's particles
constexpr double too_coarse = 3;   // times its shape's volume that a body may fill
constexpr std::size_t few = 1000;  // particles; more of them have the shape's volume at least roughly
constexpr double buried = 1;       // depth in a wall, in spacings, from which a particle cannot have been meant there

std::string some_of(std::size_t count, std::size_t all) {
    return count == all ? "all of its " + std::to_string(all) + " particles lie"
                        : std::to_string(count) + " of its " + std::to_string(all) + " particles lie";
}

struct StartCheck {
    const Scene& scene;
    StepContext& step;
    const Pool& pool;
    const Sources& sources;
    Neighborhood& neighborhood;
    std::vector<std::size_t> counts; // particles by body, groups with theirs
    std::vector<Error>& doubts;

    Status sizes() const;
    Status distance() const;
    Status domain() const;
    Status walls() const;
    Status emitters() const;
    Status images() const;
    Status overlaps() const;

    bool takes_room(std::size_t body) const; // and is not thin: what a sheet displaces is soon out of the way
    std::vector<std::uint32_t> inside_of_another() const;
};

std::vector<std::size_t> counts_of(const Scene& scene, const Pool& pool) {
    std::vector<std::size_t> counts(scene.bodies.size(), 0);
    for (const std::uint32_t b : pool[pool.body]) ++counts[scene.whole_body(b)];
    return counts;
}

// A few particles may stand for far more than the shape they were to fill.
Status StartCheck::sizes() const {
    const double space = std::pow(step.scene.spacing, step.scene.dimensions);
    for (std::size_t b = 0; b < counts.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        if (counts[b] == 0 || counts[b] > few || !body.shape || step.flow.share.by_body()[b] <= 0) continue;
        const double volume = moments_of(*body.shape, step.scene.spacing, step.scene.dimensions).volume;
        const double filled = static_cast<double>(counts[b]) * space;
        if (filled > too_coarse * volume)
            return Error{Fault::scene, "bodies." + body.name + ".shape",
                         "particles of radius " + number_text(scene.radius()) +
                             " m are too large for it: " + std::to_string(counts[b]) + " of them would be " +
                             number_text(filled / volume) + " times the shape's volume",
                         "lower particle_radius, or make the shape larger"};
    }
    return Done{};
}

// Frames hold coordinates in single precision.
Status StartCheck::distance() const {
    constexpr double precision = 0x1p-23, coarse = 0.05; // of the spacing
    const double farthest = coarse * step.scene.spacing / precision;
    const auto body = pool[pool.body];
    const auto position = pool[pool.position];
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (const Vec3d& p = position[i]; std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > farthest)
            return Error{Fault::scene, "bodies." + scene.bodies[body[i]].name,
                         "it lies so far from the origin that frames cannot tell its particles apart",
                         "bring the scene within " + number_text(std::floor(farthest)) +
                             " m of the origin, or make particle_radius larger"};
    return Done{};
}

// A domain may cut a body, but what would vanish as a whole was not meant to.
Status StartCheck::domain() const {
    const auto body = pool[pool.body];
    const auto position = pool[pool.position];
    const Bounds& sides = sources.open_sides();
    std::vector<std::size_t> outside(counts.size(), 0);
    for (std::size_t i = 0; i < pool.size(); ++i) outside[scene.whole_body(body[i])] += !sides.contains(position[i]);
    for (std::size_t b = 0; b < counts.size(); ++b)
        if (counts[b] > 0 && outside[b] == counts[b])
            return Error{Fault::scene, "bodies." + scene.bodies[b].name,
                         some_of(outside[b], counts[b]) + " outside of the domain, where particles vanish",
                         "move the body, or change domain.min and domain.max"};
    return Done{};
}

Status StartCheck::walls() const {
    const auto body = pool[pool.body];
    const auto position = pool[pool.position];
    for (const WallBody& wall : step.walls.bodies) {
        const Pose pose = wall.pose_at(0);
        std::vector<std::uint8_t> inside(pool.size(), 0);
        parallel_each(pool.size(), [&](std::size_t i) {
            inside[i] = !pool.is_held(i) && // pins are left where they are
                        wall.shape->distance(pose.point_at_rest(position[i])) < -buried * step.scene.spacing;
        });
        std::vector<std::size_t> in_wall(counts.size(), 0);
        for (std::size_t i = 0; i < pool.size(); ++i) in_wall[scene.whole_body(body[i])] += inside[i];
        for (std::size_t b = 0; b < counts.size(); ++b)
            if (in_wall[b] > 0)
                return Error{Fault::scene, "bodies." + scene.bodies[b].name,
                             some_of(in_wall[b], counts[b]) + " inside of the wall bodies." +
                                 scene.bodies[wall.body].name,
                             "make the body smaller, move it, or take the wall's shape out of its own with "
                             "\"difference\""};
    }
    return Done{};
}

// A mouth may reach into a wall, as in a nozzle, but what is let out within one stays there.
Status StartCheck::emitters() const {
    auto emitter = sources.emitters().begin();
    for (const BodySpec& body : scene.bodies)
        for (const EmitterSpec& spec : body.emitters) {
            const std::string where = "bodies." + body.name + ".emitters." + spec.name;
            if (!emitter->reaches_into(sources.open_sides()))
                return Error{Fault::scene, where, "all of it lies outside of the domain, where particles vanish",
                             "move it, or change domain.min and domain.max"};
            for (const WallBody& wall : step.walls.bodies) {
                const Pose pose = wall.pose_at(spec.values.number("start"));
                if (emitter->least_depth_in(*wall.shape, pose) > buried * step.scene.spacing)
                    return Error{Fault::scene, where,
                                 "all of it lies inside of the wall bodies." + scene.bodies[wall.body].name,
                                 "move it, or take its place out of the wall's shape with \"difference\""};
            }
            ++emitter;
        }
    return Done{};
}

bool StartCheck::takes_room(std::size_t body) const {
    return counts[body] > 0 && scene.bodies[body].shape && !step.scene.sheets[body].sheet;
}

// A body may reach across a periodic side as long as it does not meet itself.
Status StartCheck::images() const {
    neighborhood.update(step.particles, step.walls);
    const auto body = pool[pool.body];
    const auto position = pool[pool.position];
    const double near = apart * step.scene.spacing;
    std::vector<std::uint8_t> met(pool.size(), 0);
    parallel_each(pool.size(), [&](std::size_t i) {
        const std::size_t own = scene.whole_body(body[i]);
        if (step.scene.sheets[own].sheet) return;
        for (const std::uint32_t j : neighborhood.particles.of(i)) {
            const Vec3d way = position[i] - position[j], shortest = shortest_way(way, step.scene.periodic_length);
            met[i] |= scene.whole_body(body[j]) == own && way != shortest && length(shortest) < near;
        }
    });
    std::vector<std::size_t> count(counts.size(), 0);
    for (std::size_t i = 0; i < pool.size(); ++i) count[scene.whole_body(body[i])] += met[i];
    for (std::size_t b = 0; b < count.size(); ++b)
        if (count[b] > 0)
            return Error{Fault::scene, "bodies." + scene.bodies[b].name,
                         some_of(count[b], counts[b]) + " within its own image one period away",
                         "make it at most as long as the domain along periodic axes"};
    return Done{};
}

// By particle: 1 + the body in whose shape it lies.
std::vector<std::uint32_t> StartCheck::inside_of_another() const {
    const auto body = pool[pool.body];
    const auto position = pool[pool.position];
    const auto volume = pool[pool.volume];
    const Vec3d& period = step.scene.periodic_length;
    std::vector<std::uint32_t> other(pool.size(), 0);
    for (std::size_t b = 0; b < counts.size(); ++b) {
        if (!takes_room(b)) continue;
        const Shape& shape = *scene.bodies[b].shape;
        const Bounds bounds = shape.bounds();
        const Pose pose = pose_at(scene.bodies[b].motion, 0);
        parallel_each(pool.size(), [&](std::size_t i) {
            const std::size_t own = scene.whole_body(body[i]);
            if (own == b || volume[i] <= 0 || !takes_room(own)) return; // leaders take up no room
            if (step.traits[own].passable || step.traits[b].passable) return;
            const Vec3d there = pose.point_at_rest(image_near(position[i], pose.point(bounds.center()), period));
            if (bounds.contains(there) && shape.distance(there) < -within * step.scene.spacing)
                other[i] = static_cast<std::uint32_t>(b) + 1;
        });
    }
    return other;
}

Status StartCheck::overlaps() const {
    const auto body = pool[pool.body];
    const std::vector<std::uint32_t> other = inside_of_another();
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> overlaps; // particles of the first within the second
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (other[i]) ++overlaps[{scene.whole_body(body[i]), other[i] - 1}];
    for (const auto& [bodies, count] : overlaps) {
        const auto [a, b] = bodies;
        const Error overlap{Fault::scene, "bodies." + scene.bodies[a].name,
                            some_of(count, counts[a]) + " within bodies." + scene.bodies[b].name +
                                ", and would be thrown apart",
                            "move one of the two, or take its shape out of the other's with \"difference\""};
        if (static_cast<double>(count) * overlapping > static_cast<double>(counts[a])) return overlap;
        const auto flows = step.flow.share.by_body();
        if ((flows[a] > 0) != (flows[b] > 0) && (a < b || !overlaps.contains({b, a}))) doubts.push_back(overlap);
    }
    return Done{};
}

} // namespace

Status check_start(const Scene& scene, StepContext& step, const Sources& sources, Neighborhood& neighborhood,
                   std::vector<Error>& doubts) {
    const StartCheck start{scene, step, step.particles, sources, neighborhood, counts_of(scene, step.particles),
                           doubts};
    for (const auto check : {&StartCheck::sizes, &StartCheck::distance, &StartCheck::domain, &StartCheck::walls,
                             &StartCheck::emitters, &StartCheck::images, &StartCheck::overlaps})
        if (Status good = (start.*check)(); !good) return good;
    return Done{};
}

Status check_emitters(const Scene& scene, StepContext& step, const Sources& sources, Neighborhood& neighborhood) {
    std::vector<Error> doubts;
    return StartCheck{scene, step, step.particles, sources, neighborhood, {}, doubts}.emitters();
}

} // namespace loam
