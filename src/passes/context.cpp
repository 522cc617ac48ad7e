#include "passes/context.h"

namespace loam {

bool Flow::anything(const Pool& pool) const {
    const bool any_may_rest = pool.resting.index != SIZE_MAX;
    if (all && !any_may_rest) return pool.size() > 0;
    const auto shares = share.of(pool);
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (shares[i] > 0 && !(any_may_rest && pool.rests(i))) return true;
    return false;
}

std::size_t StepContext::flowing() const {
    std::size_t count = particles.size();
    if (!flow.all)
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
