// The longest step in which forces alone, held over it, move no particle by more than a small part of its distance.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "passes/context.h"

namespace loam {

// Of the particles for which counts(i).
template <class Counts> double largest_acceleration(const StepContext& step, const Counts& counts) {
    const auto acceleration = step.particles[step.particles.acceleration];
    const float most = parallel_reduce(
        acceleration.size(), 0.0f,
        [&](Range range) {
            float m = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) {
                const Float4& a = acceleration[i];
                if (counts(i)) m = std::max(m, a.x * a.x + a.y * a.y + a.z * a.z);
            }
            return m;
        },
        [](float a, float b) { return std::max(a, b); });
    return std::sqrt(most);
}

inline TimeStepLimit acceleration_limit(const StepContext& step, double share, double acceleration) {
    if (!(acceleration > 0)) return {};
    return {share * std::sqrt(step.spacing / acceleration), "acceleration"};
}

} // namespace loam
