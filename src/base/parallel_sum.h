// Sums over all indices, in fixed blocks: the same for any number of threads.
#pragma once

#include <functional>

#include "base/parallel.h"

namespace loam {

template <class Term> double parallel_sum(std::size_t count, const Term& term) {
    return parallel_reduce(
        count, 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) sum += term(i);
            return sum;
        },
        std::plus<double>{});
}

} // namespace loam
