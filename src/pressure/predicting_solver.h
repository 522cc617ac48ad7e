// What solvers share that look at densities where particles will be at the end of the step (pcisph, pbf).
//
//   kappa = p dt^2, whose push is a displacement; it starts from warm_start p dt^2
#pragma once

#include "pressure/implicit_solver.h"
#include "pressure/prediction.h"

namespace loam {

class PredictingSolver : public ImplicitSolver {
public:
    explicit PredictingSolver(const PressureSetup& setup)
        : ImplicitSolver(setup), warm_start_(static_cast<float>(setup.values.number("warm_start"))) {}

    void prepare(StepContext& step) override {
        fields_.declare(step, PressureFields::Use::iterated);
        prediction_.declare(step);
    }

    void solve(StepContext& step) override {
        step.profile.time("pressure solve", [&] {
            Pool& pool = step.particles;
            const auto kappa = pool[fields_.kappa], pressure = pool[pool.pressure];
            const float dt = static_cast<float>(step.dt), dt2 = dt * dt;
            parallel_each(pool.size(), [&](std::size_t i) { kappa[i] = warm_start_ * pressure[i] * dt2; });
            prediction_.move_walls(step);
            report(find_kappa(step));
            fields_.take_push(step, 1 / dt);
            parallel_each(pool.size(), [&](std::size_t i) { pressure[i] = kappa[i] / dt2; });
        });
    }

protected:
    // From where kappa starts to where densities are right, with fields_.push the displacement.
    virtual PressureFields::Outcome find_kappa(StepContext& step) = 0;

    // From predicted densities, in fields_.residual, to what is too much of them.
    void find_excess(StepContext& step) const {
        const auto residual = step.particles[fields_.residual];
        parallel_each(step.particles.size(), [&](std::size_t i) { residual[i] -= 1; });
        PressureFields::leave_out_solids(step, residual);
    }

    float warm_start_;
    Prediction prediction_;
};

} // namespace loam
