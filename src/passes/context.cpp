#include "passes/context.h"

#include <algorithm>

namespace loam {

std::size_t StepContext::flowing() const {
    std::size_t count = particles.size();
    if (!all_flow)
        count = parallel_reduce(
            particles.size(), std::size_t{0},
            [&](Range range) {
                std::size_t some = 0;
                for (std::size_t i = range.begin; i != range.end; ++i) some += !is_solid(i);
                return some;
            },
            [](std::size_t a, std::size_t b) { return a + b; });
    return std::max<std::size_t>(count, 1);
}

} // namespace loam
