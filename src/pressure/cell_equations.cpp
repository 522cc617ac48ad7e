// Conjugate gradients, preconditioned by the diagonal.
#include "pressure/cell_equations.h"

#include <functional>

#include "base/parallel.h"

namespace loam {
namespace {

// Of term(k) over all k, in a fixed order.
template <class Term> double sum_of(std::size_t count, const Term& term) {
    return parallel_reduce(
        count, 0.0,
        [&](Range range) {
            double sum = 0;
            for (std::size_t k = range.begin; k != range.end; ++k) sum += static_cast<double>(term(k));
            return sum;
        },
        std::plus<double>{});
}

} // namespace

void CellEquations::clear() {
    cells.clear(), neighbors.clear(), along.clear(), diagonal.clear(), right.clear(), x.clear();
}

void CellEquations::add(std::uint32_t cell) {
    cells.push_back(cell);
    neighbors.push_back({none, none, none, none, none, none});
    along.push_back({});
    diagonal.push_back(0), right.push_back(0), x.push_back(0);
}

int CellEquations::solve(int at_most, double tolerance) {
    const std::size_t count = cells.size();
    residual_.resize(count), way_.resize(count), change_.resize(count);
    const auto times = [&](const std::vector<float>& of, std::size_t k) { // the matrix
        float sum = diagonal[k] * of[k];
        for (std::size_t f = 0; f < 6; ++f)
            if (neighbors[k][f] != none) sum -= along[k][f] * of[neighbors[k][f]];
        return sum;
    };
    const auto scaled = [&](float value, std::size_t k) { return diagonal[k] > 0 ? value / diagonal[k] : 0; };
    const double asked = sum_of(count, [&](std::size_t k) { return right[k] * scaled(right[k], k); });
    double rz = sum_of(count, [&](std::size_t k) {
        residual_[k] = right[k] - times(x, k);
        way_[k] = scaled(residual_[k], k);
        return residual_[k] * way_[k];
    });
    const double enough = tolerance * tolerance * asked;
    int n = 0;
    for (; n < at_most && rz > enough; ++n) {
        const double curvature = sum_of(count, [&](std::size_t k) {
            change_[k] = times(way_, k);
            return way_[k] * change_[k];
        });
        if (!(curvature > 0)) break;
        const auto alpha = static_cast<float>(rz / curvature);
        const double next = sum_of(count, [&](std::size_t k) {
            x[k] += alpha * way_[k], residual_[k] -= alpha * change_[k];
            return residual_[k] * scaled(residual_[k], k);
        });
        const auto beta = static_cast<float>(next / rz);
        rz = next;
        parallel_each(count, [&](std::size_t k) { way_[k] = scaled(residual_[k], k) + beta * way_[k]; });
    }
    return n;
}

} // namespace loam
