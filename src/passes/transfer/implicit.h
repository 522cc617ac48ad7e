// The implicit step of an exchange: how much potentials change, w = u' - u, so that amounts flow as they ask after it.
//
//   c_i w_i + dt sum_j g_ij (w_i - w_j) = -dt sum_j F_ij(u)
//
// By conjugate gradients, each row divided by its diagonal. Where potentials have bounds (a pressure of pores that only
// pushes), the same system with those bounds needs a projected solver in place of this one; passes.h has its sums.
#pragma once

#include "passes/transfer/exchange.h"

namespace loam {

class ImplicitTransfer {
public:
    void declare(Pool& pool);
    // Writes w into exchange.record. state.w is the storage c. `source`, if given, is added to the right side.
    void solve(const StepContext& step, const Exchange& exchange, Column<Float4> state, Column<float> source);
    int iterations() const { return iterations_; } // of the last solve

private:
    int iterations_ = 0;
    Column<float> change_, residual_, product_, inverse_diagonal_;
};

} // namespace loam
