// A gauge shows something of a simulation that runs. One file per kind, which makes itself known; a scene names it:
// "gauges": {"depth": {"height": {"at": [1, 0, 0.5]}}}.
//
// A gauge only looks: a simulation has the same bits with it and without. What it remembers begins anew at each frame,
// so a run that goes on from a checkpoint shows the same.
#pragma once

#include <memory>

#include "base/declaration.h"
#include "base/registry.h"
#include "step/simulation.h"

namespace loam {

class Gauge {
public:
    virtual ~Gauge() = default;
    // What has to be known after each step where this gauge is read.
    virtual Simulation::Watch needs() const { return {}; }
    // Before the first step of a frame.
    virtual void begin(const Simulation&) {}
    // One number for each of the type's parts; not finite where there is nothing to show. Of a type that takes the
    // mean, that over the last step, and it is called after each.
    virtual std::vector<double> read(const Simulation& simulation) = 0;
};

struct GaugePart {
    std::string name; // "" where there is only one
    std::string unit;
};

struct GaugeType {
    Declaration declaration;
    std::vector<GaugePart> parts; // what it shows, at least one
    bool is_mean = false;         // over the time since the frame, or the step, before
    std::unique_ptr<Gauge> (*make)(const Values& values, const Scene& scene) = nullptr;
};

// Known kinds; a static RegisterGauge in a kind's source adds it.
using GaugeTypes = Registry<GaugeType>;
using RegisterGauge = GaugeTypes::Entry;

template <class T> std::unique_ptr<Gauge> make_gauge(const Values& values, const Scene& scene) {
    return std::make_unique<T>(values, scene);
}

// The body of this name; as many as there are bodies for "".
std::size_t body_index(const Scene& scene, const std::string& name);

// The bodies that a gauge looks at: one with its groups, or all where none is named.
class Members {
public:
    Members(const Scene& scene, const std::string& body);
    bool operator[](std::size_t body) const { return is_member_[body] != 0; }
    // Fluids alone.
    bool flows(const StepContext& step, std::size_t particle) const {
        return is_member_[step.particles[step.particles.body][particle]] && !step.is_solid(particle);
    }

private:
    std::vector<std::uint8_t> is_member_;
};

// Of mass; not finite where they have no particles, as walls.
Vec3d center_of(const Simulation& simulation, const Members& members);

} // namespace loam
