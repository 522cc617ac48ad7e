#include "passes/transfer/implicit.h"

#include <functional>

#include "base/reductions.h"

namespace loam {
namespace {

// Of the residual, beside what it is without any change. Floats carry it no further than some 1e-6.
constexpr double tolerance = 1e-4;
constexpr int at_most = 200;

} // namespace

void ImplicitTransfer::declare(Pool& pool) {
    change_ = pool.declare<float>({.name = "transfer_change"});
    residual_ = pool.declare<float>({.name = "transfer_residual"});
    product_ = pool.declare<float>({.name = "transfer_product"});
    inverse_diagonal_ = pool.declare<float>({.name = "transfer_inverse_diagonal"});
}

void ImplicitTransfer::solve(const StepContext& step, const Exchange& exchange, Column<Float4> state,
                             Column<float> source) {
    Pool& pool = step.particles;
    const std::size_t count = pool.size();
    const auto change = pool[change_], residual = pool[residual_], product = pool[product_];
    const auto inverse = pool[inverse_diagonal_];
    const auto records = pool[exchange.record]; // w: the direction, until the solution is known
    Pass system(step, "transfer system");
    system.run(transfer_system, {.pairs = exchange.arguments(system),
                                 .state = system.reads(state),
                                 .inverse_diagonal = system.writes(inverse_diagonal_),
                                 .residual = system.writes(residual_)});
    if (source.index != SIZE_MAX) {
        const auto more = pool[source];
        parallel_each(count, [&](std::size_t i) { residual[i] += more[i]; });
    }
    double error = parallel_sum(count, [&](std::size_t i) {
        change[i] = 0;
        records[i].w = inverse[i] * residual[i];
        return static_cast<double>(residual[i]) * records[i].w;
    });
    const double enough = tolerance * tolerance * error;
    for (iterations_ = 0; error > enough && iterations_ < at_most; ++iterations_) {
        Pass multiply(step, "transfer product");
        const double curvature = multiply.reduce(transfer_product,
                                                 {.pairs = exchange.arguments(multiply),
                                                  .state = multiply.reads(state),
                                                  .product = multiply.writes(product_)},
                                                 std::plus<double>{});
        if (!(curvature > 0)) break;
        const float along = static_cast<float>(error / curvature);
        const double after = parallel_sum(count, [&](std::size_t i) {
            change[i] += along * records[i].w;
            residual[i] -= along * product[i];
            return static_cast<double>(residual[i]) * inverse[i] * residual[i];
        });
        const float keep = static_cast<float>(after / error);
        parallel_each(count, [&](std::size_t i) { records[i].w = inverse[i] * residual[i] + keep * records[i].w; });
        error = after;
    }
    parallel_each(count, [&](std::size_t i) { records[i].w = change[i]; });
}

} // namespace loam
