// What is kept of each frame in the log, and told to whoever watches.
#pragma once

#include <cstdint>
#include <string>

#include "cache/log.h"
#include "gauges/gauge_set.h"
#include "run/measure.h"
#include "step/simulation.h"

namespace loam {

struct FrameRecord {
    std::uint64_t frame = 0;
    double time = 0;                 // simulated [s]
    StepReport report;               // of the steps since the frame before
    double wall_seconds = 0;         // that those steps took, and writing the frame
    std::vector<std::string> bodies; // names
    Measures measures;
    std::vector<std::optional<BodyPose>> poses; // of bodies that move as one
    Readings gauges;
    std::vector<Account> accounts;
    double deepest_in_walls = 0;   // how far the worst particle is inside of a wall [m]
    double bytes_per_particle = 0; // of memory, neighbor lists included
    InstructionSet isa = InstructionSet::scalar;
};

LogLine log_line(const FrameRecord& record);

// A finite number as it is, others as null: JSON has none.
LogLine json_number(double value);
LogLine json_vector(const Vec3d& v);

// The fields of a measure: of all bodies together in the log, and of each one by `loam info`; and those that only a
// body has.
void add_measure(LogLine& line, const Measure& measure);
void add_place(LogLine& line, const Measure& measure);

} // namespace loam
