// Implicit viscosity (Weiler et al. 2018): the velocities after the step resist their own shear,
//
//   v = v* + dt a_viscous(v)
//
// so a stiff fluid needs no small step. Solved for the change v - v* by conjugate gradients with 3x3 block Jacobi
// preconditioning, starting from the change of the step before.
//
// Such a step is of first order: what decays at a rate r does so too slowly by r dt / 2. Two of them, over g dt, are of
// second order and forget as surely what is stiff (SDIRK2: Alexander 1977), g = 1 - 1 / sqrt 2. What else changes
// velocities in the step, from v0 to v*, acts all along it: so a steady flow is that of the law, whatever the step.
//
//   V1 = u1 + g dt a(V1),   u1 = v0 + g (v* - v0)
//   V2 = u2 + g dt a(V2),   u2 = v0 + (1 - g) / g (V1 - v0) + g (v* - v0),   v = V2
#pragma once

#include "passes/context.h"

namespace loam {

class ImplicitViscosity {
public:
    void set(double tolerance, int max_iterations) { tolerance_ = tolerance, at_most_ = max_iterations; }
    void declare(Pool& pool);
    // Changes the velocities. `motion` holds them, with mu_i in w, and is written to; `before` those at the start of
    // the step. With one step of first order only where that is as good: `thin`.
    void solve(StepContext& step, Column<Float4> motion, Column<Float4> before, bool thin);

private:
    void solve_once(StepContext& step, Column<Float4> motion, double seconds); // for the change
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
    double seconds_ = 0; // of this solve
    Column<Float4> change_, residual_, direction_, product_;
    Column<Float4> own_first_, own_second_, inverse_first_, inverse_second_;
};

} // namespace loam
