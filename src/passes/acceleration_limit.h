// The longest step in which forces alone, held over it, move no particle by more than a small part of its distance.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "passes/context.h"

namespace loam {

// dt = share sqrt(spacing / a), a the largest acceleration of the particles for which counts(i).
template <class Counts> TimeStepLimit acceleration_limit(const StepContext& step, double share, const Counts& counts) {
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
    if (!(most > 0)) return {};
    return {share * std::sqrt(step.spacing / std::sqrt(most)), "acceleration"};
}

} // namespace loam
