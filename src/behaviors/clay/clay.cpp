// Clay: a fluid that pulls back what is drawn out of it, by an equation of state that attracts (clay.law.h). With a
// high viscosity it is kneaded, drawn out and pressed together again.
#include <cmath>

#include "base/reductions.h"
#include "behaviors/behavior.h"
#include "behaviors/clay/passes.h"
#include "passes/pass.h"

namespace loam {
namespace {

class Clay : public Behavior {
public:
    explicit Clay(const BodyValues& values) : values_(values) { set(values); }

    void set(const BodyValues& values) override {
        stiffness_ = values.numbers("stiffness"), strength_ = values.numbers("strength");
        weight_ = values.numbers("weight");
    }

    Numbers pressure_share() const override { return weight_; }

    Status prepare(StepContext& step) override {
        tension_ = step.particles.declare<float>({.name = "clay_tension", .unit = "Pa"});
        return Done{};
    }

    void apply(StepContext& step) override {
        find_tension(step.particles);
        Pass pass(step, "clay");
        pass.run(clay_forces, {.particles = pass.pairs(),
                               .kernel = step.scene.kernel,
                               .inverse_spacing = static_cast<float>(1 / step.scene.spacing),
                               .tension = pass.reads(tension_),
                               .mass = pass.reads(step.particles.mass),
                               .acceleration = pass.writes(step.particles.acceleration)});
    }

    // As sound that goes through it.
    TimeStepLimit time_step(const StepContext& step) const override {
        const Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto stiffness = stiffness_.of(pool);
        const double fastest2 = parallel_max(pool.size(), [&](std::size_t i) {
            const float density = pool.rest_density(i);
            return values_.uses(body[i]) && density > 0 ? static_cast<double>(stiffness[i] / density) : 0.0;
        });
        return fastest2 > 0 ? TimeStepLimit{0.2 * step.scene.kernel.support / std::sqrt(fastest2), "clay"}
                            : TimeStepLimit{};
    }

private:
    void find_tension(Pool& pool) const {
        pool.padding(tension_) = -1;
        const auto body = pool[pool.body];
        const auto density = pool[pool.density], tension = pool[tension_];
        const auto stiffness = stiffness_.of(pool), strength = strength_.of(pool), weight = weight_.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            const float pulls = std::clamp(stiffness[i] * (1 - density[i]), 0.0f, strength[i]);
            tension[i] = values_.uses(body[i]) && density[i] > 0 ? weight[i] * pulls : -1;
        });
    }

    BodyValues values_;
    Numbers stiffness_, strength_, weight_;
    Column<float> tension_;
};

const RegisterBehavior clay{{
    .declaration =
        {.name = "clay",
         .help = "Clay, dough: a fluid that attracts itself where it is less dense than at rest.\n"
                 "Give it a `viscosity` of some hundred Pa s: it is kneaded, drawn out in threads and pressed together "
                 "again.",
         .properties =
             {number("density", "kg/m^3", 1700, {1e-3, 1e5}, "Mass per volume at rest.").keyed(Keying::particle),
              number("stiffness", "Pa", 2000, {0, 1e9}, "Pull per part by which it is less dense than at rest.")
                  .keyed(Keying::particle),
              number("strength", "Pa", 1e9, {0, 1e9}, "Most that it pulls.").keyed(Keying::particle)}},
    .form = Form::pair,
    .acts = {{Stage::prepare, {}}, {Stage::force, {reads("density"), changes("acceleration")}}},
    .make = make_behavior<Clay>,
    .material = true,
    .pressure = TakesPressure::by_weight,
}};

} // namespace
} // namespace loam
