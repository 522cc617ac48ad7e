#include "run/record.h"

#include <cmath>

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
    line["top_speed"] = json_number(measure.top_speed);
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
    line["born"] = report.born;
    line["died"] = report.died;
    line["pushed_back"] = report.pushed_back;
    line["deepest_in_walls"] = json_number(record.deepest_in_walls);
    line["bytes_per_particle"] = json_number(std::round(record.bytes_per_particle));
    line["simd"] = name_of(record.isa);
    return line;
}

} // namespace loam
