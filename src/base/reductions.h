// Sums and maxima over all indices, in fixed blocks: the same for any number of threads.
#pragma once

#include <algorithm>
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

// The largest term, at least 0.
template <class Term> double parallel_max(std::size_t count, const Term& term) {
    return parallel_reduce(
        count, 0.0,
        [&](Range range) {
            double most = 0;
            for (std::size_t i = range.begin; i != range.end; ++i) most = std::max<double>(most, term(i));
            return most;
        },
        [](double a, double b) { return std::max(a, b); });
}

} // namespace loam
