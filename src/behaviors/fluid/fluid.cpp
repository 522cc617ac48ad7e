// Fluid: the body takes part in the pressure solve with this rest density. The solver itself is the scene's choice.
// Weight w: the solver takes away w times the compression that a particle has, so at 0 it is as if it were a solid.
#include <algorithm>

#include "behaviors/behavior.h"

namespace loam {
namespace {

class Fluid : public Behavior {
public:
    explicit Fluid(const BodyValues& values) {
        for (std::size_t b = 0; b < values.size(); ++b) {
            const bool keyed = values.uses(b) && values[b].track("density");
            density_keyed_.push_back(keyed);
            any_density_keyed_ |= keyed;
        }
        set(values);
    }

    void set(const BodyValues& values) override {
        density_ = values.numbers("density");
        weight_ = values.numbers("weight");
        used_.clear();
        for (std::size_t b = 0; b < values.size(); ++b) used_.push_back(values.uses(b));
    }

    Status prepare(StepContext& step) override {
        tell_who_flows(step);
        return Done{};
    }

    Status begin(StepContext& step) override {
        tell_who_flows(step);
        if (any_density_keyed_) follow_density(step);
        return Done{};
    }

private:
    void tell_who_flows(StepContext& step) const {
        step.flow = weight_;
        step.all_flow = !weight_.differ();
        for (std::size_t b = 0; b < used_.size(); ++b)
            step.all_flow &= step.wall_values[b].has_value() || (used_[b] && weight_.by_body()[b] == 1);
    }

    // Mass follows the density; velocities stay.
    void follow_density(StepContext& step) const {
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto mass = pool[pool.mass];
        const auto density = density_.of(pool);
        const float space = static_cast<float>(std::pow(step.spacing, step.dimensions));
        parallel_each(pool.size(), [&](std::size_t i) {
            if (density_keyed_[body[i]]) mass[i] = density[i] * space;
        });
    }

    Numbers density_, weight_;
    std::vector<std::uint8_t> used_, density_keyed_; // by body
    bool any_density_keyed_ = false;
};

const RegisterBehavior fluid{{
    .declaration = {.name = "fluid",
                    .help = "A liquid that keeps its volume: the scene's pressure solver acts on it.",
                    .properties = {number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume at rest.")
                                       .keyed(Keying::particle)}},
    .stage = Stage::force,
    .form = Form::property,
    .make = make_behavior<Fluid>,
    .material = true,
}};

} // namespace
} // namespace loam
