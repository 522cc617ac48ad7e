// Knitwear: a thick sheet of three layers that stretches more across than along, lets some fluid through its holes, and
// takes it up where it is porous too.
#include <algorithm>

#include "base/text.h"
#include "behaviors/knit/layer_order.h"
#include "behaviors/knit/stitches.h"
#include "behaviors/springs/spring_law.h"

namespace loam {
namespace {

SpringValues knit_values(const Values& values) {
    SpringValues own{{0, 0, 0},
                     {values.number("damping"), 0, 0},
                     values.number("tear"),
                     values.text("integration"),
                     values.number("tolerance"),
                     values.number("friction")};
    const Stitches stitches{.structural = values.number("structural"),
                            .crosswise = values.number("crosswise"),
                            .shear = values.number("shear"),
                            .flexion = values.number("flexion"),
                            .volume = values.number("volume"),
                            .damping = values.number("damping"),
                            .axis = values.vector("axis")};
    own.of_sheet = [stitches](const Sheet& sheet, const SceneFacts&) { return knit_springs(sheet, stitches); };
    return own;
}

// Where a sheet is bent more than it is thick its outer layers are folded over.
bool layers_cross(const Sheet& sheet) {
    const auto n = static_cast<std::uint32_t>(sheet.in_layer());
    const auto area = [&](const Triangle& t, std::uint32_t layer) {
        const Vec3d& a = sheet.points[layer + t[0]];
        return cross(sheet.points[layer + t[1]] - a, sheet.points[layer + t[2]] - a);
    };
    return std::any_of(sheet.triangles.begin(), sheet.triangles.end(), [&](const Triangle& t) {
        return dot(area(t, n), area(t, 0)) <= 0 || dot(area(t, 2 * n), area(t, 0)) <= 0;
    });
}

class Knit : public SpringLaw {
public:
    explicit Knit(const BodyValues& values) : SpringLaw("knit", values, knit_values), values_(values) {}

    Status prepare(StepContext& step) override {
        for (std::size_t b = 0; b < values_.size(); ++b) {
            if (!values_.uses(b)) continue;
            const std::string path = "bodies." + step.scene.bodies[b].name + ".behaviors.knit";
            const std::shared_ptr<const Sheet>& sheet = step.scene.sheets[b].sheet;
            if (!sheet || sheet->layers != 3)
                return Error{Fault::scene, path, "the body has no area that could be knitted",
                             "give it a shape of one layer, in 3D: sheet with u and v, dome or surface"};
            if (!(length(values_[b].vector("axis")) > 0))
                return Error{Fault::scene, path + ".axis", "has no length", "the direction in which wales go"};
            if (layers_cross(*sheet))
                return Error{Fault::scene, path + ".thickness",
                             "is " + number_text(values_[b].number("thickness")) +
                                 " m, more than the surface is bent: its layers cross",
                             "a thinner knit, or a shape with wider bends"};
            orders_.emplace_back(step.scene.sheets[b], step.particles);
        }
        return SpringLaw::prepare(step);
    }
    Status before_motion(StepContext& step) override {
        for (LayerOrder& order : orders_) order.bound(step);
        return Done{};
    }

private:
    BodyValues values_;
    std::vector<LayerOrder> orders_;
};

std::vector<Property> properties() {
    constexpr Limits stiffness{0, 1e12};
    std::vector<Property> all{
        number("density", "kg/m^3", 120, {1e-3, 1e5}, "Mass per volume, with the air between the yarns."),
        number("thickness", "m", 0.004, {1e-4, 1}, "Of all three layers; its mass per area is density * thickness."),
        number("wales", "1/m", 150, {1, 1e4}, "Stitches per metre along a course, which is a row of a rectangle."),
        number("courses", "1/m", 200, {1, 1e4}, "Courses per metre."),
        number("structural", "N/m", 100, stiffness, "Stiffness along wales, of all layers together."),
        number("crosswise", "", 0.5, {0, 100}, "Stiffness along courses, as a multiple of that: knits give more."),
        number("shear", "N/m", 20, stiffness, "Stiffness of springs along diagonals, of all layers together."),
        number("flexion", "N/m", 0, stiffness, "Stiffness of springs to the next point but one, of all layers."),
        number("volume", "N/m", 200, {1e-3, 1e12}, "Stiffness of springs from layer to layer: keeps it thick."),
        number("damping", "", 0.3, {0, 10},
               "Damping of stretching as a fraction of critical: at 1 it stretches and comes back without ringing."),
        number("holes", "", 0.15, {0, 0.9}, "Share of the area between yarns, through which fluids pass."),
        vector("axis", "", {0, 1, 0}, "Along which wales go; for sheets that are not rectangles."),
        number("tear", "", 0, {0, 1e3}, "Strain at which it tears; 0 for never."),
        choice("integration", {"explicit", "verlet", "rk4", "implicit", "filter", "kang"},
               "How it is moved on; see springs."),
        number("friction", "", 0.6, {0, 10}, "Coefficient of friction where it touches others, itself and walls."),
        number("tolerance", "", 1e-4, {1e-9, 0.5}, "Largest relative residual of the implicit solve.")};
    for (Property& p : all) p = std::move(p).fixed();
    return all;
}

const RegisterBehavior knit{{
    .declaration = {.name = "knit",
                    .help = "Knitwear: three layers of mass points and springs, drawn as yarn, stitch by stitch.\n"
                            "For sheets, domes and surfaces; beside `porous` it soaks.",
                    .properties = properties()},
    .form = Form::cluster,
    .acts = {{Stage::prepare, {}},
             {Stage::implicit, {changes("velocity"), changes("lack")}},
             {Stage::before_motion, {bounds("velocity"), reads("contacts")}},
             {Stage::after_motion, {changes("velocity")}}},
    .make = make_behavior<Knit>,
    .material = true,
}};

} // namespace
} // namespace loam
