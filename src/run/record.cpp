#include "run/record.h"

#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

namespace loam {
namespace {

LogLine volume_by_body(const FrameRecord& record) {
    LogLine volumes = LogLine::object();
    for (std::size_t b = 0; b < record.bodies.size(); ++b)
        if (record.measures.bodies[b].particles > 0)
            volumes[record.bodies[b]] = json_number(record.measures.bodies[b].volume);
    return volumes;
}

// How each body is and moves; of rigid ones also how they have turned.
LogLine by_body(const FrameRecord& record) {
    constexpr double degrees = 180 / std::numbers::pi;
    LogLine bodies = LogLine::object();
    for (std::size_t b = 0; b < record.bodies.size(); ++b) {
        const Measure& measure = record.measures.bodies[b];
        if (measure.particles == 0) continue;
        LogLine& body = bodies[record.bodies[b]];
        body["momentum"] = json_vector(measure.momentum);
        body["kinetic_energy"] = json_number(measure.kinetic_energy);
        body["potential_energy"] = json_number(measure.potential_energy);
        if (measure.elastic_known) body["elastic_energy"] = json_number(measure.elastic_energy);
        if (measure.may_rest) body["resting"] = json_number(measure.resting_share());
        add_place(body, measure);
        if (record.poses[b]) body["turn"] = json_vector(degrees * record.poses[b]->turn);
    }
    return bodies;
}

LogLine json_reading(const GaugeReading& gauge, const std::vector<double>& value) {
    if (!gauge.is_vector) return json_number(value.front());
    LogLine all = LogLine::array();
    for (const double part : value) all.push_back(json_number(part));
    return all;
}

void add_gauges(LogLine& line, const Readings& readings) {
    if (readings.gauges.empty()) return;
    LogLine &values = line["gauges"], steps = LogLine::object();
    for (const GaugeReading& gauge : readings.gauges) {
        values[gauge.name] = json_reading(gauge, gauge.value);
        if (gauge.steps.empty()) continue;
        LogLine& all = steps[gauge.name];
        for (const std::vector<double>& value : gauge.steps) all.push_back(json_reading(gauge, value));
    }
    if (steps.empty()) return;
    line["step_times"] = readings.times;
    line["gauge_steps"] = std::move(steps);
}

} // namespace

LogLine json_number(double value) { return std::isfinite(value) ? LogLine(value) : LogLine(nullptr); }

LogLine json_vector(const Vec3d& v) { return LogLine::array({json_number(v.x), json_number(v.y), json_number(v.z)}); }

void add_measure(LogLine& line, const Measure& measure) {
    line["particles"] = measure.particles;
    line["volume"] = json_number(measure.volume);
    line["mass"] = json_number(measure.mass);
    line["momentum"] = json_vector(measure.momentum);
    line["kinetic_energy"] = json_number(measure.kinetic_energy);
    line["potential_energy"] = json_number(measure.potential_energy);
    if (measure.elastic_known) line["elastic_energy"] = json_number(measure.elastic_energy);
    if (measure.may_rest) line["resting"] = json_number(measure.resting_share());
    line["top_speed"] = json_number(measure.top_speed);
}

void add_place(LogLine& line, const Measure& measure) {
    line["center"] = json_vector(measure.center());
    line["bounds"] = measure.bounds.empty() ? LogLine(nullptr)
                                            : LogLine{json_vector(measure.bounds.lo), json_vector(measure.bounds.hi)};
    line["extent"] = measure.bounds.empty() ? LogLine(nullptr) : json_vector(measure.bounds.size());
    line["spin"] = json_vector(measure.spin());
}

LogLine log_line(const FrameRecord& record) {
    const StepReport& report = record.report;
    LogLine line;
    line["frame"] = record.frame;
    line["time"] = json_number(record.time);
    line["steps"] = report.steps;
    line["mean_dt"] = json_number(report.mean_dt);
    line["least_dt"] = json_number(report.least_dt);
    line["dt_limited_by"] = report.dt_reason;
    line["wall_seconds"] = json_number(record.wall_seconds);
    line["iterations"] = json_number(report.iterations);
    line["divergence_iterations"] = json_number(report.divergence_iterations);
    line["unconverged_steps"] = report.unconverged;
    line["volume_error"] = json_number(report.volume_error);
    line["largest_volume_error"] = json_number(report.largest_volume_error);
    add_measure(line, record.measures.total);
    line["volume_by_body"] = volume_by_body(record);
    line["bodies"] = by_body(record);
    add_gauges(line, record.gauges);
    for (const Account& account : record.accounts)
        for (const auto& [name, value] : account.entries) line[account.name][name] = json_number(value);
    line["born"] = report.born;
    line["died"] = report.died;
    line["pushed_back"] = report.pushed_back;
    line["deepest_in_walls"] = json_number(record.deepest_in_walls);
    line["bytes_per_particle"] = json_number(std::round(record.bytes_per_particle));
    line["simd"] = name_of(record.isa);
    return line;
}

} // namespace loam
