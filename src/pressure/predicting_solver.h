// What solvers share that look at densities where particles will be at the end of the step (pcisph, pbf).
//
//   kappa = p dt^2, whose push is a displacement; it starts from warm_start p dt^2
#pragma once

#include "pressure/implicit_solver.h"
#include "pressure/prediction.h"

namespace loam {

class PredictingSolver : public ImplicitSolver {
public:
    PredictingSolver(const PressureSetup& setup, PressureFields::Use use)
        : ImplicitSolver(setup), warm_start_(static_cast<float>(setup.values.number("warm_start"))), use_(use) {}

    void prepare(StepContext& step) override {
        fields_.declare(step, use_);
        prediction_.declare(step);
    }

    void solve(StepContext& step) override {
        step.profile.time("pressure solve", [&] {
            Pool& pool = step.particles;
            const auto kappa = pool[fields_.kappa], pressure = pool[pool.pressure];
            const float dt = static_cast<float>(step.dt), dt2 = dt * dt;
            parallel_each(pool.size(), [&](std::size_t i) { kappa[i] = warm_start_ * pressure[i] * dt2; });
            prediction_.move_walls(step);
            report(step, find_kappa(step), PressureFields::taken_back(step, true));
            fields_.take_push(step, 1 / dt);
            parallel_each(pool.size(), [&](std::size_t i) { pressure[i] = kappa[i] / dt2; });
        });
    }

protected:
    // From where kappa starts to where densities are right, with fields_.push the displacement.
    virtual PressureFields::Outcome find_kappa(StepContext& step) = 0;

    float warm_start_;
    Prediction prediction_;

private:
    PressureFields::Use use_;
};

} // namespace loam
