// Fluid: the body takes part in the pressure solve with this rest density. The solver itself is the scene's choice.
// Weight w: the solver takes away w times the compression that a particle has, so at 0 it is as if it were a solid.
#include "behaviors/behavior.h"

namespace loam {
namespace {

class Fluid : public Behavior {
public:
    explicit Fluid(const BodyValues& values) { set(values); }

    void set(const BodyValues& values) override { weight_ = values.numbers("weight"); }

    Numbers pressure_share() const override { return weight_; }

private:
    Numbers weight_;
};

const RegisterBehavior fluid{{
    .declaration = {.name = "fluid",
                    .help = "A liquid that keeps its volume: the scene's pressure solver acts on it.",
                    .properties = {number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume at rest.")
                                       .keyed(Keying::particle)}},
    .form = Form::property,
    .acts = {},
    .make = make_behavior<Fluid>,
    .material = true,
    .pressure = TakesPressure::by_weight,
}};

} // namespace
} // namespace loam
