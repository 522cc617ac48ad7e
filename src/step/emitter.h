// A source of particles. Layers perpendicular to its direction leave one after the other, a particle distance apart; a
// rate below what the speed carries thins them out at random, so a wide slow emitter rains and a narrow one drips.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "particles/pool.h"
#include "scene/scene.h"

namespace loam {

class Emitter {
public:
    static Result<Emitter> create(const EmitterSpec& spec, std::uint32_t body, double volume, double mass,
                                  double spacing, int dimensions, std::uint64_t seed);

    // Particles that have left by `time`, where they are by then.
    std::vector<Pool::Birth> emit(double time);

    std::uint64_t emitted_layers() const { return layer_; }
    void set_emitted_layers(std::uint64_t layer) { layer_ = layer; }

private:
    double fastest() const;
    double leaves(std::uint64_t layer, double until) const;

    std::vector<Vec3d> points_; // of one layer
    Vec3d direction_;
    Values values_; // speed and rate, which may be keyed
    double layer_volume_ = 0;
    double start_ = 0, stop_ = 0, jitter_ = 0, spacing_ = 0;
    double volume_ = 0, mass_ = 0;
    bool flat_ = false;
    std::uint32_t body_ = 0;
    std::uint64_t seed_ = 0, layer_ = 0;
};

} // namespace loam
