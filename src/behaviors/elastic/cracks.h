// Fracture: bonds break where the largest principal stress exceeds the body's strength (after O'Brien & Hodgins 1999).
//
// A particle cracks when its stress is beyond the strength and the largest among its neighbors'; all its bonds that
// cross the plane at right angles to that stress, on the side where neighbors are pulled most, break for good. What has
// just cracked is given the time in which waves unload it before it may crack again, so that cracks are surfaces, not
// dust.
#pragma once

#include <vector>

#include "behaviors/elastic/material.h"
#include "behaviors/elastic/passes.h"
#include "behaviors/elastic/reference.h"

namespace loam {

class Cracks {
public:
    struct State {
        ElasticArgs args; // gradients and rotations of this step
        const std::vector<ElasticMaterial>& materials;
        double time, spacing;
    };
    // Breaks what has to break. Returns the slots of particles that lost bonds.
    std::vector<std::uint32_t> grow(const State& state, Reference& reference);

    void reset(std::size_t slots) { rests_until_.assign(slots, -1), stress_.assign(slots, {}); }
    void rest(std::size_t slot, double until) { rests_until_[slot] = until; }
    const std::vector<double>& rests_until() const { return rests_until_; }
    void set_rests_until(std::vector<double> times) { rests_until_ = std::move(times); }

private:
    struct Pull { // the largest principal stress, and its direction at rest
        double stress = 0;
        Vec3d direction;
    };
    static Pull pull_of(const State& state, const ElasticMaterial& material, std::size_t slot);
    bool is_peak(const Reference& reference, std::size_t slot) const;
    double weaker_side(const Reference& reference, std::size_t slot) const;

    std::vector<Pull> stress_;        // by slot
    std::vector<double> rests_until_; // by slot: may not crack before
};

} // namespace loam
