// The gauges of a scene, read as a simulation goes from frame to frame.
#pragma once

#include "gauges/gauge.h"

namespace loam {

struct GaugeReading {
    std::string name;
    bool is_vector = false;                 // shows several numbers
    std::vector<double> value;              // at the frame, or the mean since the one before
    std::vector<std::vector<double>> steps; // of each step since then, where the scene asks for that
};

struct Readings {
    std::vector<GaugeReading> gauges;
    std::vector<double> times; // of the steps [s], where any gauge asks for them
};

class GaugeSet {
public:
    GaugeSet() = default;
    explicit GaugeSet(const Scene& scene);

    void begin(Simulation& simulation); // a frame: before its first step
    void stepped(const Simulation& simulation);
    Readings readings(const Simulation& simulation); // where a frame is due

private:
    struct One {
        const GaugeType* type = nullptr;
        bool every_step = false;
        std::unique_ptr<Gauge> gauge;
        std::vector<double> sum; // of means, by time
        GaugeReading reading;
    };
    std::vector<One> all_;
    std::vector<double> times_;
    double begun_ = 0, last_ = 0; // times [s]
};

} // namespace loam
