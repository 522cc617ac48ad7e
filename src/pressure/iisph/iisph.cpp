// Implicit incompressible SPH (Ihmsen, Cornelis, Solenthaler, Horvath & Teschner 2014), in volume form.
//
//   eq. 3   (delta(t + dt) - delta(t)) / dt = div v(t + dt)
//   eq. 4   v(t + dt) = v_adv + dt a_p,  a_p,i = -s_i sum_j V_j (p_i / delta_i^2 + p_j / delta_j^2) grad W_ij
//   eq. 5   dt^2 div a_p = 1 - delta_adv,  delta_adv = delta + dt div v_adv
//   eq. 12  p_i <- max(0, p_i + omega (1 - delta_adv - (A p)_i) / a_ii)
//
//   delta   density as a multiple of the rest density [-]
//   v_adv   velocity after all forces but pressure [m/s]
//   p       pressure [Pa]; the iteration is on kappa = dt^2 p / delta^2, in which A is symmetric: that is what is saved
//   A       eq. 5's matrix, never built: a product is one push and one divergence
//   omega   relaxation; the paper keeps it at 1/2, here it follows the residuals (relaxation.cpp)
//
// Half of the last step's pressure starts the iteration, as in the paper.
#include "pressure/implicit_solver.h"

namespace loam {
namespace {

class Iisph : public ImplicitSolver {
public:
    explicit Iisph(const PressureSetup& setup)
        : ImplicitSolver(setup), warm_start_(static_cast<float>(setup.values.number("warm_start"))) {}

    void prepare(StepContext& step) override {
        fields_.declare(step, PressureFields::Use::iterated_with_kept_gradients);
    }

    void begin(StepContext& step) override { flows_ = fields_.begin_flow(step); }

    void solve(StepContext& step) override {
        stats_ = {};
        if (!flows_) return;
        step.profile.time("pressure solve", [&] {
            const auto taken = PressureFields::taken_back(step, true);
            report(step,
                   fields_.keep_volume(step, {.tolerance = tolerance(step), .at_least = 2, .at_most = at_most_},
                                       warm_start_, taken),
                   taken);
        });
    }

    bool ask(const std::function<void(std::span<Float4>)>& bear) override {
        fields_.bear = bear;
        return true;
    }

    TimeStepLimit time_step(const StepContext& step) const override {
        return PressureFields::time_step(step, 0.12, pull_);
    }

private:
    float warm_start_;
    bool flows_ = true; // anything, in this step
};

const RegisterPressure iisph{{
    .declaration = {.name = "iisph",
                    .help = "Implicit incompressible: one solve per step, for the density after the step.",
                    .properties = {warm_start_property()}},
    .make = make_pressure<Iisph>,
}};

} // namespace
} // namespace loam
