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

BodyValues Timeline::open(const BehaviorType& type, std::vector<std::optional<Values>> values, Pool& pool) {
    kept_.push_back(std::make_unique<std::vector<std::optional<Values>>>(values));
    const auto& kept = *kept_.back();
    std::map<std::string, Column<float>> columns;
    for (const Property& property : type.declaration.properties) {
        if (!keyed_over_particles(kept, property.name)) continue;
        Differing all;
        all.column = pool.declare<float>({.name = type.declaration.name + "_" + property.name, .unit = property.unit});
        all.limits = property.limits;
        for (const auto& own : kept) {
            const Track* track = own ? own->track(property.name) : nullptr;
            all.by_body.push_back(own ? static_cast<float>(own->number(property.name)) : 0);
            all.tracks.push_back(track && track->driver != Driver::time ? track : nullptr);
            if (!all.tracks.back()) continue;
            if (track->driver == Driver::temperature)
                temperature_ = pool.declare<float>({.name = "temperature", .unit = "K", .saved = true, .output = true});
            if (track->driver == Driver::saturation)
                saturation_ = pool.declare<float>({.name = "saturation", .saved = true, .output = true});
            if (track->driver == Driver::age)
                age_ = pool.declare<float>({.name = "age", .unit = "s", .saved = true, .output = true});
        }
        columns[property.name] = all.column;
        differing_.push_back(std::move(all));
    }
    return BodyValues(std::move(values), std::move(columns)).at(0);
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

void Timeline::warm(Pool& pool, std::size_t i) const {
    if (declared(temperature_)) pool[temperature_][i] = temperature_at_birth_[pool[pool.body][i]];
}

void Timeline::prepare(StepContext& step) {
    for (std::size_t i = 0; i < step.particles.size(); ++i) warm(step.particles, i);
}

void Timeline::born(StepContext& step, const Renewal& newborn) {
    for (std::size_t k = 0; k < newborn.born.size(); ++k)
        if (newborn.parents[k] == Renewal::no_parent) warm(step.particles, newborn.born.begin + k);
}

float Timeline::driver_value(const StepContext& step, Driver driver, std::size_t i) const {
    const Pool& pool = step.particles;
    switch (driver) {
    case Driver::time: return static_cast<float>(step.time);
    case Driver::temperature: return pool[temperature_][i];
    case Driver::saturation: return pool[saturation_][i];
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
        if (!track) {
            to[i] = property.by_body[body[i]];
            return;
        }
        const double value = track->at(driver_value(step, track->driver, i)).x;
        to[i] = static_cast<float>(std::clamp(value, property.limits.lo, property.limits.hi));
    });
}

} // namespace loam
