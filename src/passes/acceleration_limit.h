// The longest step in which forces alone, held over it, move no particle by more than a small part of its distance.
#pragma once

#include <cmath>

#include "base/reductions.h"
#include "passes/context.h"

namespace loam {

// Of the particles for which counts(i).
template <class Counts> double largest_acceleration(const StepContext& step, const Counts& counts) {
    const auto acceleration = step.particles[step.particles.acceleration];
    return parallel_max(acceleration.size(),
                        [&](std::size_t i) { return counts(i) ? length(acceleration[i].xyz_double()) : 0; });
}

inline TimeStepLimit acceleration_limit(const StepContext& step, double share, double acceleration) {
    if (!(acceleration > 0)) return {};
    return {share * std::sqrt(step.scene.spacing / acceleration), "acceleration"};
}

} // namespace loam
