// Cloth as SPH (Lenaerts 2009, section 4.4.2): a sheet whose particles keep the distances to their neighbors at rest
// and nothing else, so that it folds freely and does not stretch.
#include "behaviors/springs/spring_law.h"

namespace loam {
namespace {

SpringValues cloth_values(const Values& values) {
    SpringValues own{{0, 0, 0},
                     {values.number("damping"), 0, 0},
                     values.number("tear"),
                     values.text("integration"),
                     values.number("tolerance"),
                     values.number("friction")};
    const double membrane = values.number("young_modulus") * values.number("thickness");
    own.of_sheet = [membrane, damping = own.damping[0]](const Sheet& sheet, const SceneFacts& scene) {
        std::vector<Spring> springs;
        for (const Bond& bond : bonds_of(sheet, scene.kernel, membrane))
            springs.push_back(Spring::between(sheet.points, bond.a, bond.b, bond.stiffness, damping));
        return springs;
    };
    return own;
}

class Cloth : public SpringLaw {
public:
    explicit Cloth(const BodyValues& values) : SpringLaw("cloth", values, cloth_values) {}
};

std::vector<Property> properties() {
    std::vector<Property> all{
        number("density", "kg/m^3", 300, {1e-3, 1e5}, "Mass per volume of the material."),
        number("thickness", "m", 0.001, {1e-6, 10}, "Of the sheet; its mass per area is density * thickness."),
        number("young_modulus", "Pa", 3e5, {1e-3, 1e13}, "How much it resists stretching; Poisson's ratio is 1/3."),
        number("damping", "", 0.2, {0, 10},
               "Damping of stretching as a fraction of critical: at 1 it stretches and comes back without ringing."),
        number("tear", "", 0, {0, 1e3}, "Strain at which it tears; 0 for never."),
        choice("integration", {"explicit", "verlet", "rk4", "implicit", "filter", "kang"},
               "How it is moved on; see springs."),
        number("friction", "", 0.3, {0, 10}, "Coefficient of friction where it touches others, itself and walls."),
        number("tolerance", "", 1e-4, {1e-9, 0.5}, "Largest relative residual of the implicit solve.")};
    for (Property& p : all) p = std::move(p).fixed();
    return all;
}

const RegisterBehavior cloth{{
    .declaration = {.name = "cloth",
                    .help = "A sheet that keeps its distances and folds freely.",
                    .properties = properties()},
    .form = Form::cluster,
    .acts = sheet_acts(),
    .make = make_behavior<Cloth>,
    .material = true,
}};

} // namespace
} // namespace loam
