#include "gauges/gauge_set.h"

#include <algorithm>

namespace loam {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

} // namespace

GaugeSet::GaugeSet(const Scene& scene) {
    for (const GaugeSpec& spec : scene.gauges) {
        const GaugeType* type = GaugeTypes::find(spec.kind);
        One one{.type = type, .every_step = spec.every_step, .gauge = type->make(spec.values, scene)};
        one.reading.name = spec.name;
        one.reading.is_vector = type->parts.size() > 1;
        all_.push_back(std::move(one));
    }
}

void GaugeSet::begin(Simulation& simulation) {
    Simulation::Watch watch;
    for (One& one : all_) {
        const Simulation::Watch needs = one.gauge->needs();
        watch.pressure |= needs.pressure && one.every_step;
        watch.forces |= needs.forces;
        one.gauge->begin(simulation);
        one.sum.assign(one.type->parts.size(), 0);
        one.reading.steps.clear();
    }
    simulation.watch(watch);
    times_.clear();
    begun_ = last_ = simulation.time();
}

void GaugeSet::stepped(const Simulation& simulation) {
    const double time = simulation.time();
    bool told = false;
    for (One& one : all_) {
        if (!one.type->is_mean && !one.every_step) continue;
        const std::vector<double> now = one.gauge->read(simulation);
        for (std::size_t k = 0; k < now.size(); ++k) one.sum[k] += (time - last_) * now[k];
        if (one.every_step) one.reading.steps.push_back(now), told = true;
    }
    if (told) times_.push_back(time);
    last_ = time;
}

Readings GaugeSet::readings(const Simulation& simulation) {
    Readings all{.times = times_};
    const double seconds = last_ - begun_;
    for (One& one : all_) {
        if (!one.type->is_mean) {
            one.reading.value = one.gauge->read(simulation);
        } else {
            one.reading.value = one.sum;
            one.reading.value.resize(one.type->parts.size());
            for (double& value : one.reading.value) value = seconds > 0 ? value / seconds : nothing;
        }
        all.gauges.push_back(one.reading);
    }
    return all;
}

} // namespace loam
