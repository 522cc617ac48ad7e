#include "timeline/timeline.h"

#include <algorithm>

namespace loam {
namespace {

bool declared(Column<float> column) { return column.index != SIZE_MAX; }

bool keyed_over_particles(const std::vector<std::optional<Values>>& values, const std::string& property) {
    return std::any_of(values.begin(), values.end(), [&](const std::optional<Values>& own) {
        const Track* track = own ? own->track(property) : nullptr;
        return track && track->driver != Driver::time;
    });
}

} // namespace

BodyValues Timeline::open(const BehaviorType& type, std::vector<std::optional<Values>> values, StepContext& step) {
    kept_.push_back(std::make_unique<std::vector<std::optional<Values>>>(values));
    const auto& kept = *kept_.back();
    const auto mixes = [&] {
        for (std::size_t b = 0; b < kept.size(); ++b)
            if (kept[b] && mixture_.holds_any(b)) return true;
        return false;
    };
    std::map<std::string, Column<float>> columns;
    for (const Property& property : type.declaration.properties) {
        std::optional<Mixture::Rule> rule;
        if (mixes()) rule = mixture_.rule_of(type.declaration.name, property.name, step);
        if (!rule && !keyed_over_particles(kept, property.name)) continue;
        Differing all;
        all.column =
            step.particles.declare<float>({.name = type.declaration.name + "_" + property.name, .unit = property.unit});
        all.limits = property.limits;
        all.rule = std::move(rule);
        for (const auto& own : kept) {
            const Track* track = own ? own->track(property.name) : nullptr;
            all.by_body.push_back(own ? static_cast<float>(own->number(property.name)) : 0);
            all.tracks.push_back(track);
            if (track) declare(*track, step);
        }
        columns[property.name] = all.column;
        differing_.push_back(std::move(all));
    }
    return BodyValues(std::move(values), std::move(columns)).at(0);
}

// What it is keyed over. Laws that own these columns declare them as well.
void Timeline::declare(const Track& track, StepContext& step) {
    Pool& pool = step.particles;
    switch (track.driver) {
    case Driver::temperature:
        temperature_ = pool.declare<float>({.name = "temperature", .unit = "K", .saved = true, .output = true});
        break;
    case Driver::melted: melted_ = pool.declare<float>({.name = "melted", .saved = true, .output = true}); break;
    case Driver::saturation:
        saturation_ = pool.declare<float>({.name = "saturation", .saved = true, .output = true});
        break;
    case Driver::age: age_ = pool.declare<float>({.name = "age", .unit = "s", .saved = true, .output = true}); break;
    case Driver::concentration: mixture_.declare(step); break;
    case Driver::time:
    case Driver::pressure:
    case Driver::height:
    case Driver::speed: break;
    }
}

void Timeline::watch(Behavior& behavior, const BodyValues& values) {
    const auto over_time = [](const std::optional<Values>& own) {
        return own && std::any_of(own->tracks().begin(), own->tracks().end(),
                                  [](const auto& track) { return track.second.driver == Driver::time; });
    };
    if (std::any_of(values.all().begin(), values.all().end(), over_time)) watched_.push_back({&behavior, values, {}});
}

void Timeline::update(StepContext& step) {
    for (Watched& watched : watched_) tell(watched, step.time);
    for (const Differing& property : differing_) fill(property, step);
}

void Timeline::tell(Watched& watched, double time) {
    std::vector<Vec3d> now;
    for (const auto& own : watched.keyed.all())
        if (own)
            for (const auto& [name, track] : own->tracks())
                if (track.driver == Driver::time) now.push_back(track.at(time));
    if (now == watched.last) return;
    watched.last = std::move(now);
    watched.behavior->set(watched.keyed.at(time));
}

void Timeline::pass(StepContext& step) {
    if (!declared(age_)) return;
    const auto age = step.particles[age_];
    parallel_each(age.size(), [&](std::size_t i) { age[i] += static_cast<float>(step.dt); });
}

void Timeline::warm(StepContext& step, std::size_t i) const {
    Pool& pool = step.particles;
    if (declared(temperature_)) pool[temperature_][i] = step.scene.bodies[pool[pool.body][i]].temperature;
}

void Timeline::prepare(StepContext& step) {
    for (std::size_t i = 0; i < step.particles.size(); ++i) warm(step, i);
}

void Timeline::born(StepContext& step, const Renewal& newborn) {
    for (std::size_t k = 0; k < newborn.born.size(); ++k)
        if (newborn.parents[k] == Renewal::no_parent) warm(step, newborn.born.begin + k);
}

float Timeline::driver_value(const StepContext& step, const Track& track, std::size_t i) const {
    const Pool& pool = step.particles;
    switch (track.driver) {
    case Driver::time: return static_cast<float>(step.time);
    case Driver::temperature: return pool[temperature_][i];
    case Driver::melted: return pool[melted_][i];
    case Driver::saturation: return pool[saturation_][i];
    case Driver::concentration: return mixture_.concentration(step, track.of, i);
    case Driver::pressure: return pool[pool.pressure][i];
    case Driver::height: return static_cast<float>(pool[pool.position][i].y);
    case Driver::speed: return static_cast<float>(length(pool[pool.velocity][i].xyz_double()));
    case Driver::age: return pool[age_][i];
    }
    return 0;
}

void Timeline::fill(const Differing& property, StepContext& step) {
    Pool& pool = step.particles;
    const auto to = pool[property.column];
    const auto body = pool[pool.body];
    parallel_each(pool.size(), [&](std::size_t i) {
        const Track* track = property.tracks[body[i]];
        float value = property.by_body[body[i]];
        if (track) {
            const double keyed = track->at(driver_value(step, *track, i)).x;
            value = static_cast<float>(std::clamp(keyed, property.limits.lo, property.limits.hi));
        }
        const bool mixes = property.rule && mixture_.holds_any(body[i]);
        to[i] = mixes ? mixture_.value(step, *property.rule, value, i) : value;
    });
}

} // namespace loam
