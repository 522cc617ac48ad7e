// Implicit viscosity (Weiler et al. 2018): the velocities after the step resist their own shear,
//
//   v = v* + dt a_viscous(v)
//
// so a stiff fluid needs no small step. Solved for the change v - v* by conjugate gradients with 3x3 block Jacobi
// preconditioning, starting from the change of the step before.
#pragma once

#include "passes/context.h"

namespace loam {

class ImplicitViscosity {
public:
    void set(double tolerance, int max_iterations) { tolerance_ = tolerance, at_most_ = max_iterations; }
    void declare(Pool& pool);
    // Changes the velocities. `motion` holds them, with mu_i in w.
    void solve(StepContext& step, Column<Float4> motion);
    int iterations() const { return iterations_; } // of the last solve

private:
    void find_blocks(const StepContext& step, Column<Float4> motion);
    // All return sums in a fixed order.
    double start(StepContext& step, Column<Float4> motion);
    double restart_at_zero(StepContext& step);
    double precondition(StepContext& step, Column<Float4> to);
    double product(const StepContext& step);
    double advance(StepContext& step, double before);

    void balance(StepContext& step, Column<Float4> motion);

    double tolerance_ = 1e-3;
    int at_most_ = 100;
    int iterations_ = 0;
    Column<Float4> change_, residual_, direction_, product_;
    Column<Float4> own_first_, own_second_, inverse_first_, inverse_second_;
};

} // namespace loam
