#include "foam/white_water.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "particles/hash.h"

namespace loam {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double thin = 0.5;             // fluids with a higher viscosity [Pa s] do not foam
constexpr double trapped_rate = 400;     // k_ta: made per second and particle, at most
constexpr double crest_rate = 2000;      // k_wc
constexpr double flat_crest = 0.1, sharp_crest = 0.4; // of the bend in FluidNow::Unrest
constexpr double response = 20;          // rate at which bubbles take on the fluid's velocity [1/s]
constexpr int most_steps = 8;            // between two frames
constexpr double spread = 0.4;           // of velocities at birth, in clashes
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

// Of a ball of radius 1 (a disk in 2D), what lies beyond a plane at `distance` from its middle.
double part_beyond(double distance, bool flat) {
    const double d = std::clamp(distance, -1.0, 1.0);
    if (flat) return (std::acos(d) - d * std::sqrt(1 - d * d)) / 3.14159265358979;
    return (1 - d) * (1 - d) * (2 + d) / 4;
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
        const double air = share_between(unrest.clash[i], calm_, wild_);
        const double crest = share_between(unrest.crest[i], flat_crest, sharp_crest);
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
    home_ = there.empty() ? there : there.grown(length(there.size()));
    Births born = births(after);
    const double room = most_ > 0 ? std::max(0.0, 1 - static_cast<double>(water.size()) / most_) : 0;
    for (float& rate : born.rates) rate *= static_cast<float>(room);
    // So short that water does not pass what is near in one of them.
    const double way = motion.usual_speed() * seconds / space_.reach;
    const int steps = std::clamp(static_cast<int>(std::ceil(way)), 1, most_steps);
    for (int k = 0; k < steps; ++k) {
        const Step step{static_cast<double>(k) / steps, static_cast<double>(k + 1) / steps, seconds / steps};
        const double now = before.time + step.to * seconds;
        gravity_ = bodies_.empty() ? Vec3d{} : gravity_by_body(scene_, now)[body_];
        obstacles_.set_time(now);
        fly(water, step.seconds);
        make(water, motion, born, step, frame);
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

void WhiteWaterMaker::make(WhiteWater& water, const FluidMotion& fluid, const Births& births, const Step& step,
                           std::uint64_t frame) const {
    constexpr double turn = 2 * 3.14159265358979;
    const FluidFrame& after = fluid.after();
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (!(births.rates[i] > 0)) continue;
        // The same numbers in each part of the way: of all that are made on it, some are made in this part.
        Sequence random(hash_of(seed_, static_cast<std::int64_t>(after.ids[i]), static_cast<std::int64_t>(frame)));
        const auto count = static_cast<int>(births.rates[i] * fluid.seconds() + random.next());
        for (int k = 0; k < count; ++k) {
            const double when = random.next(), beside = radius_ * std::sqrt(random.next()), around = random.next();
            const double height = random.next(-1, 1), old = random.next(0.3, 1);
            if (when < step.from || when >= step.to) continue;
            const Vec3d flow = fluid.velocity(i, when), ahead = normalized(flow);
            const Vec3d other = std::abs(ahead.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
            const Vec3d across = normalized(cross(ahead, other)), third = cross(ahead, across);
            Vec3d off = beside * (std::cos(turn * around) * across + std::sin(turn * around) * third);
            if (space_.flat) off = beside * std::cos(turn * around) * Vec3d{-ahead.y, ahead.x, 0};
            // Drops leave in all directions, the faster the more the water is torn.
            const Vec3d velocity = flow + (spread * wild_ * births.shares[i] / radius_) * off +
                                   (spread * wild_ * births.shares[i] * height) * ahead;
            const double rest = (step.to - when) * fluid.seconds();
            const Vec3d place = fluid.position(i, when) + off + rest * velocity + 0.5 * rest * rest * gravity_;
            const double life = life_ * old * (0.25 + 0.75 * births.shares[i]);
            water.places.push_back(float4(place, life));
            water.velocities.push_back(float4(velocity + rest * gravity_));
            water.kinds.push_back(Drop::spray);
            water.ids.push_back(static_cast<std::uint32_t>(water.ids_given++));
        }
    }
}

Drop WhiteWaterMaker::kind_of(double neighbors) const {
    if (neighbors < (space_.flat ? least_near_flat : least_near)) return Drop::spray;
    return neighbors > (space_.flat ? most_near_flat : most_near) ? Drop::bubble : Drop::foam;
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
    // Fluid particles keep their radius away from walls.
    const double free = 1 - part_beyond((std::max(distance, 0.0) + radius_) / space_.reach, space_.flat);
    if (kind == Drop::foam) flow.w = static_cast<float>(flow.w / std::max(free, 0.25));
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
