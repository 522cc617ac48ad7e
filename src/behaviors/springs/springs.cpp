// Springs: a body of mass points joined by springs (Bayraktar 2013, chapter 4), from a sheet, a rope or a filled shape.
#include "behaviors/springs/spring_law.h"

namespace loam {
namespace {

SpringValues spring_values(const Values& values) {
    return {{values.number("structural"), values.number("shear"), values.number("flexion")},
            {values.number("structural_damping"), values.number("shear_damping"), values.number("flexion_damping")},
            values.number("tear"),
            values.text("integration"),
            values.number("tolerance"),
            values.number("friction"),
            values.number("accuracy")};
}

class Springs : public SpringLaw {
public:
    explicit Springs(const BodyValues& values) : SpringLaw("springs", values, spring_values) {}
};

std::vector<Property> properties() {
    constexpr Limits stiffness{0, 1e12}, ratio{0, 10};
    std::vector<Property> all{
        number("density", "kg/m^3", 300, {1e-3, 1e5}, "Mass per volume of the material."),
        number("thickness", "m", 0.001, {1e-6, 10}, "Of a sheet or rope; its mass per area is density * thickness."),
        number("structural", "N/m", 200, stiffness, "Stiffness of springs to the next points."),
        number("shear", "N/m", 50, stiffness, "Stiffness of springs along diagonals."),
        number("flexion", "N/m", 5, stiffness, "Stiffness of springs to the next point but one: resists bending."),
        number("structural_damping", "", 0.1, ratio,
               "Damping as a fraction of critical: at 1 it stretches and comes back without ringing."),
        number("shear_damping", "", 0.1, ratio,
               "Damping as a fraction of critical: at 1 it stretches and comes back without ringing."),
        number("flexion_damping", "", 0.1, ratio,
               "Damping as a fraction of critical: at 1 it stretches and comes back without ringing."),
        number("tear", "", 0, {0, 1e3}, "Strain at which a spring breaks; 0 for never."),
        choice("integration", {"explicit", "verlet", "rk4", "doubling", "fehlberg", "implicit", "filter", "kang"},
               "How springs are moved on: explicit methods (symplectic Euler, velocity Verlet, Runge-Kutta) in "
               "substeps; Runge-Kutta in substeps as long as `accuracy` allows, by step doubling or Fehlberg's method; "
               "backward Euler by conjugate gradients; its prepared filter; Kang's approximation."),
        number("friction", "", 0.3, {0, 10}, "Coefficient of friction where it touches others, itself and walls."),
        number("accuracy", "", 1e-4, {1e-6, 0.1},
               "Largest error of a substep, in particle spacings; for doubling and fehlberg."),
        number("tolerance", "", 1e-4, {1e-9, 0.5}, "Largest relative residual of the implicit solve.")};
    for (Property& p : all) p = std::move(p).fixed();
    return all;
}

const RegisterBehavior springs{{
    .declaration = {.name = "springs",
                    .help = "Mass points joined by damped springs: cloth from a sheet, a rope, or a soft figure.",
                    .properties = properties()},
    .form = Form::cluster,
    .acts = sheet_acts(),
    .make = make_behavior<Springs>,
    .material = true,
}};

} // namespace
} // namespace loam
