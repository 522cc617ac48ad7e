#include "foam/white_water.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "particles/hash.h"

namespace loam {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double thin = 0.5;                // fluids with a higher viscosity [Pa s] do not foam
constexpr double trapped_rate = 250;        // k_ta: made per second and particle, at most
constexpr double crest_rate = 600;          // k_wc
constexpr double closed = 0.05, open = 0.4; // what is missing of the surroundings: no air, as much as there can be
constexpr double flat_crest = 0.1, sharp_crest = 0.4; // of the bend in FluidNow::Unrest
constexpr double response = 20;                       // rate at which bubbles take on the fluid's velocity [1/s]
constexpr int most_steps = 8;                         // between two frames
constexpr double spread = 0.4;                        // of velocities at birth, in clashes
// How many fluid particles are within reach of foam: at least, at most. Full surroundings have 33, in 2D 12.
constexpr double least_near = 6, most_near = 20, least_near_flat = 3, most_near_flat = 8;

double share_between(double value, double least, double most) {
    return std::clamp((value - least) / (most - least), 0.0, 1.0);
}

bool is_thin(const Scene& scene, const BodySpec& body) {
    const BehaviorUse* viscosity = find_behavior(scene, body, "viscosity");
    return !viscosity || viscosity->values.text("model") != "implicit" || viscosity->values.number("viscosity") < thin;
}

// The one that is named; otherwise all thin fluids, or all where there is none.
std::vector<bool> riding_bodies(const Scene& scene, const std::string& of) {
    const auto chosen = [&](bool thick_too) {
        std::vector<bool> all;
        for (const BodySpec& body : scene.bodies) {
            const BodySpec& whole = body.group_of ? scene.bodies[*body.group_of] : body;
            const bool flows = find_behavior(scene, body, "fluid") && (thick_too || is_thin(scene, body));
            all.push_back(!body.boundary && (of.empty() ? flows : whole.name == of));
        }
        return all;
    };
    const std::vector<bool> thin_ones = chosen(false);
    return std::find(thin_ones.begin(), thin_ones.end(), true) == thin_ones.end() ? chosen(true) : thin_ones;
}

FluidSpace space_of(const Scene& scene, InstructionSet isa) {
    FluidSpace space{.reach = 2 * scene.spacing(), .flat = scene.dimensions() == 2, .isa = isa};
    const Vec3d begin = scene.domain.vector("min"), end = scene.domain.vector("max");
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (scene.periodic(static_cast<int>(axis)))
            space.begin[axis] = begin[axis], space.period[axis] = end[axis] - begin[axis];
    return space;
}

void move(Float4& place, const Vec3d& by) {
    place.x = static_cast<float>(place.x + by.x), place.y = static_cast<float>(place.y + by.y);
    place.z = static_cast<float>(place.z + by.z);
}

} // namespace

WhiteWaterMaker::WhiteWaterMaker(const Scene& scene, const Values& values, InstructionSet isa)
    : scene_(scene), radius_(scene.radius()), amount_(values.number("amount")), slow_(values.number("slow")),
      fast_(values.number("fast")), calm_(values.number("calm")), wild_(values.number("wild")),
      life_(values.number("life")), rise_(values.number("rise")), most_(values.number("most")),
      seed_(static_cast<std::uint64_t>(values.number("seed"))), space_(space_of(scene, isa)),
      bodies_(riding_bodies(scene, values.text("of"))), obstacles_(scene) {
    domain_ = {scene.domain.vector("min"), scene.domain.vector("max")};
    for (std::size_t axis = 0; axis < 3; ++axis) // what leaves at one side of these comes in at the other
        if (space_.period[axis] > 0) domain_.lo[axis] = -infinite, domain_.hi[axis] = infinite;
    const auto first = std::find(bodies_.begin(), bodies_.end(), true);
    if (first != bodies_.end()) body_ = static_cast<std::size_t>(first - bodies_.begin());
}

WhiteWaterMaker::Births WhiteWaterMaker::births(const FluidFrame& fluid) const {
    const FluidNow::Unrest unrest = FluidNow(fluid, space_).unrest();
    Births all{std::vector<float>(fluid.size()), std::vector<float>(fluid.size())};
    parallel_each(fluid.size(), [&](std::size_t i) {
        const Vec3d v = fluid.velocities[i].xyz_double();
        const double energy = share_between(dot(v, v), slow_ * slow_, fast_ * fast_);
        double air = share_between(unrest.clash[i], calm_, wild_);
        const double crest = share_between(unrest.crest[i], flat_crest, sharp_crest);
        if (!(energy * (air + crest) > 0)) return;
        // Only near the surface there is air.
        if (air > 0) air *= share_between(1 - unrest.crowd[i] / free_part(fluid.positions[i]), closed, open);
        all.rates[i] = static_cast<float>(amount_ * energy * (trapped_rate * air + crest_rate * crest));
        all.shares[i] = static_cast<float>(energy * std::max(air, crest));
    });
    return all;
}

void WhiteWaterMaker::advance(WhiteWater& water, const FluidFrame& before, const FluidFrame& after,
                              std::uint64_t frame) {
    const FluidMotion motion(before, after, space_);
    const double seconds = motion.seconds();
    Bounds there;
    for (const Vec3d& p : after.positions) there.add(p);
    home_ = there.empty() ? there : there.grown(4 * length(there.size()));
    obstacles_.set_time(after.time);
    Births at_most = births(after);
    const double room = most_ > 0 ? std::max(0.0, 1 - static_cast<double>(water.size()) / most_) : 0;
    for (float& rate : at_most.rates) rate *= static_cast<float>(room);
    const std::vector<Newborn> born = newborns(motion, at_most, frame);
    // So short that water does not pass what is near in one of them.
    const double way = motion.usual_speed() * seconds / space_.reach;
    const int steps = std::clamp(static_cast<int>(std::ceil(way)), 1, most_steps);
    for (int k = 0; k < steps; ++k) {
        const Step step{static_cast<double>(k) / steps, static_cast<double>(k + 1) / steps, seconds / steps};
        const double now = before.time + step.to * seconds;
        gravity_ = bodies_.empty() ? Vec3d{} : gravity_by_body(scene_, now)[body_];
        obstacles_.set_time(now);
        fly(water, step.seconds);
        add(water, born, step);
        ride(water, FluidNow(motion.at(step.to), space_), step.seconds);
        remove_dead(water);
    }
}

void WhiteWaterMaker::fly(WhiteWater& water, double seconds) const {
    parallel_each(water.size(), [&](std::size_t i) {
        Float4 &place = water.places[i], &velocity = water.velocities[i];
        const bool falls = water.kinds[i] == Drop::spray;
        move(place, seconds * velocity.xyz_double() + (falls ? 0.5 * seconds * seconds : 0) * gravity_);
        if (falls) move(velocity, seconds * gravity_);
    });
}

// In the order of particles, with random numbers that belong to the particle and the frame.
std::vector<WhiteWaterMaker::Newborn> WhiteWaterMaker::newborns(const FluidMotion& fluid, const Births& births,
                                                                std::uint64_t frame) const {
    const FluidFrame& after = fluid.after();
    std::vector<std::vector<Newborn>> parts(block_count(after.size()));
    parallel_blocks(after.size(), block_size, [&](Range range, std::size_t block) {
        for (std::size_t i = range.begin; i != range.end; ++i) {
            if (!(births.rates[i] > 0)) continue;
            Sequence random(hash_of(seed_, static_cast<std::int64_t>(after.ids[i]), static_cast<std::int64_t>(frame)));
            const auto count = static_cast<int>(births.rates[i] * fluid.seconds() + random.next());
            for (int k = 0; k < count; ++k) parts[block].push_back(newborn(fluid, i, births.shares[i], random));
        }
    });
    std::vector<Newborn> all;
    for (const std::vector<Newborn>& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

// Somewhere on the way of a particle, within its radius beside it. It leaves in any direction, the faster the more the
// water is torn.
WhiteWaterMaker::Newborn WhiteWaterMaker::newborn(const FluidMotion& fluid, std::size_t particle, double share,
                                                  Sequence& random) const {
    const double when = random.next(), angle = 2 * 3.14159265358979 * random.next(), out = std::sqrt(random.next());
    const Vec3d flow = fluid.velocity(particle, when), ahead = normalized(flow);
    const Vec3d other = std::abs(ahead.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d across = space_.flat ? Vec3d{-ahead.y, ahead.x, 0} : normalized(cross(ahead, other));
    const Vec3d third = space_.flat ? Vec3d{} : cross(ahead, across);
    const Vec3d beside = out * (std::cos(angle) * across + std::sin(angle) * third);
    const Vec3d off = spread * wild_ * share * (beside + random.next(-1, 1) * ahead);
    return {when, fluid.position(particle, when) + radius_ * beside, flow + off,
            life_ * random.next(0.3, 1) * (0.25 + 0.75 * share)};
}

// What is made within a step flies on to its end.
void WhiteWaterMaker::add(WhiteWater& water, std::span<const Newborn> born, const Step& step) const {
    for (const Newborn& one : born) {
        if (one.when < step.from || one.when >= step.to) continue;
        const double rest = (step.to - one.when) / (step.to - step.from) * step.seconds;
        water.places.push_back(float4(one.place + rest * one.velocity + 0.5 * rest * rest * gravity_, one.life));
        water.velocities.push_back(float4(one.velocity + rest * gravity_));
        water.kinds.push_back(Drop::spray);
        water.ids.push_back(static_cast<std::uint32_t>(water.ids_given++));
    }
}

Drop WhiteWaterMaker::kind_of(double neighbors) const {
    if (neighbors < (space_.flat ? least_near_flat : least_near)) return Drop::spray;
    return neighbors > (space_.flat ? most_near_flat : most_near) ? Drop::bubble : Drop::foam;
}

// What walls leave of the surroundings: of a lattice around the place, without the outer layer on each side that is in
// a wall.
double WhiteWaterMaker::free_part(const Vec3d& place) const {
    const double layer = space_.flat ? 0.34 : 0.29; // of all weights
    if (obstacles_.distance(place, space_.reach) >= space_.reach) return 1;
    double part = 1;
    for (std::size_t axis = 0; axis < (space_.flat ? 2u : 3u); ++axis)
        for (const double side : {-0.5, 0.5}) {
            Vec3d beside = place;
            beside[axis] += side * space_.reach;
            if (obstacles_.distance(beside, radius_) < 0.5 * radius_) part *= 1 - layer;
        }
    return part;
}

// A wall takes the place of neighbors, and nothing goes into it.
void WhiteWaterMaker::meet_walls(WhiteWater& water, std::size_t drop, Float4& flow) const {
    Float4& place = water.places[drop];
    const Drop kind = kind_of(flow.w);
    if (kind == Drop::bubble) return;
    const double distance = obstacles_.distance(place.xyz_double(), space_.reach);
    if (distance >= space_.reach) return;
    if (distance < 0 && kind == Drop::spray) {
        place.w = 0;
        return;
    }
    if (distance < 0) place = float4(obstacles_.pushed_out(place.xyz_double()), place.w);
    if (kind == Drop::foam) flow.w = static_cast<float>(flow.w / free_part(place.xyz_double()));
}

void WhiteWaterMaker::ride(WhiteWater& water, const FluidNow& fluid, double seconds) const {
    if (length(space_.period) > 0)
        for (Float4& place : water.places)
            place = float4(image_within(place.xyz_double(), space_.begin, space_.period), place.w);
    std::vector<Float4> flows = fluid.flow_at(water.places);
    const Vec3d up = -1.0 * normalized(gravity_);
    const double kept = std::exp(-response * seconds);
    parallel_each(water.size(), [&](std::size_t i) {
        Float4 &place = water.places[i], &velocity = water.velocities[i];
        meet_walls(water, i, flows[i]);
        const Vec3d flow = flows[i].xyz_double();
        switch (water.kinds[i] = kind_of(flows[i].w)) {
        case Drop::spray:
            if (!home_.contains(place.xyz_double())) place.w -= static_cast<float>(seconds);
            break;
        case Drop::foam:
            velocity = float4(flow);
            place.w -= static_cast<float>(seconds);
            break;
        case Drop::bubble: {
            const Vec3d goal = flow + rise_ * up;
            velocity = float4(goal + kept * (velocity.xyz_double() - goal));
            break;
        }
        }
    });
}

void WhiteWaterMaker::remove_dead(WhiteWater& water) const {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < water.size(); ++i) {
        if (!(water.places[i].w > 0) || !domain_.contains(water.places[i].xyz_double())) continue;
        water.places[kept] = water.places[i], water.velocities[kept] = water.velocities[i];
        water.kinds[kept] = water.kinds[i], water.ids[kept] = water.ids[i];
        ++kept;
    }
    water.places.resize(kept), water.velocities.resize(kept), water.kinds.resize(kept), water.ids.resize(kept);
}

} // namespace loam
