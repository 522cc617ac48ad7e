// Fluid: the body takes part in the pressure solve with this rest density. The solver itself is the scene's choice.
#include "behaviors/behavior.h"

namespace loam {
namespace {

const RegisterBehavior fluid{{
    .declaration = {.name = "fluid",
                    .help = "A liquid that keeps its volume: the scene's pressure solver acts on it.",
                    .properties = {number("density", "kg/m^3", 1000, {1e-3, 1e5}, "Mass per volume at rest.")}},
    .stage = Stage::force,
    .form = Form::property,
    .make = make_behavior<Behavior>,
    .material = true,
}};

} // namespace
} // namespace loam
