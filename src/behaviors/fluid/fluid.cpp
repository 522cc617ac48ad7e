// Fluid: the body takes part in the pressure solve with this rest density. The solver itself is the scene's choice.
// Weight w: the solver takes away w times the compression that a particle has, so at 0 it is as if it were a solid.
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
    }

    Numbers pressure_share() const override { return weight_; }

    // Mass follows the density, whatever part of a lattice's volume the particle has; velocities stay.
    Status begin(StepContext& step) override {
        if (!any_density_keyed_) return Done{};
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto mass = pool[pool.mass], volume = pool[pool.volume];
        const auto density = density_.of(pool);
        const auto of_lattice = static_cast<float>(lattice_volume(step.scene.kernel, step.scene.spacing));
        const auto space = static_cast<float>(step.scene.space);
        parallel_each(pool.size(), [&](std::size_t i) {
            if (density_keyed_[body[i]]) mass[i] = density[i] * space * (volume[i] / of_lattice);
        });
        return Done{};
    }

private:
    Numbers density_, weight_;
    std::vector<std::uint8_t> density_keyed_; // by body
    bool any_density_keyed_ = false;
};

const RegisterBehavior fluid{{
    .declaration = {.name = "fluid",
                    .help = "A liquid that keeps its volume: the scene's pressure solver acts on it.",
                    .properties = {number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume at rest.")
                                       .keyed(Keying::particle)}},
    .form = Form::property,
    .acts = {{Stage::begin, {changes("mass")}}},
    .make = make_behavior<Fluid>,
    .material = true,
    .pressure = TakesPressure::by_weight,
}};

} // namespace
} // namespace loam
