// The part of a scene that is about how bodies begin.
#include <cmath>
#include <numbers>

#include "scene/scene_builder.h"

namespace loam {
namespace {

using json::Node;

constexpr double radians = std::numbers::pi / 180; // of a degree

bool leaves_the_plane(const StartField& field) {
    const Mat3& g = field.gradient;
    return field.turning.x != 0 || field.turning.y != 0 || g.row[2].x != 0 || g.row[2].y != 0 || g.row[2].z != 0 ||
           field.formula[2].has_value();
}

} // namespace

StartField SceneBuilder::build_field(const Node& node, const std::string& path, StartField::Of of) {
    const bool moves = of == StartField::Of::velocity;
    const Values all = values(node, path, moves ? start_velocity_declaration() : start_displacement_declaration());
    StartField field{.of = of};
    field.turning = moves ? all.vector("spin") : radians * all.vector("turn");
    if (node.find("about")) field.about = all.vector("about");
    const Vec3d along = all.vector(moves ? "rates" : "stretch");
    field.gradient = {{{along.x, 0, 0}, {0, along.y, 0}, {0, 0, along.z}}};
    if (const Node* gradient = node.find("gradient")) {
        const Values rows = values_of(*gradient, gradient_declaration());
        field.gradient = field.gradient + Mat3{{rows.vector("x"), rows.vector("y"), rows.vector("z")}};
    }
    if (const Node* formulas = node.find("formula")) build_formulas(*formulas, path + ".formula", field);
    if (field.about && !is_finite(*field.about))
        complaints_.add(node.find("about")->place, path + ".about", "is no point", "allowed: a vector [x, y, z] in m");
    if (dimensions_ == 2 && leaves_the_plane(field))
        complaints_.add(node.place, path, "leads out of the plane in a scene of 2 dimensions",
                        "turn about [0, 0, 1] only, and leave out what is along z");
    return field;
}

void SceneBuilder::build_formulas(const Node& node, const std::string& path, StartField& field) {
    const char* const names[] = {"x", "y", "z"};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Node* given = node.find(names[axis]);
        if (!given) continue;
        Result<Formula> formula = Formula::read(given->text);
        if (formula)
            field.formula[axis] = std::move(*formula);
        else
            complaints_.add(given->place, below(path, names[axis]), formula.error().what, formula.error().hint);
    }
}

void SceneBuilder::build_start(const Scene& scene, BodySpec& body, const Node& node, const std::string& path) {
    if (const Node* velocity = node.find("velocity"))
        body.start_velocity = build_field(*velocity, path + ".velocity", StartField::Of::velocity);
    const Node* displacement = node.find("displacement");
    if (!displacement) return;
    body.start_displacement = build_field(*displacement, path + ".displacement", StartField::Of::displacement);
    const BehaviorUse* elastic = find_behavior(scene, body, "elastic");
    if (!elastic || elastic->values.track("weight") || elastic->values.number("weight") != 1)
        complaints_.add(displacement->place, path + ".displacement",
                        elastic ? "a body whose elastic weight is not always 1 is at rest wherever it is"
                                : "only elastic bodies can begin displaced",
                        elastic ? "leave out the weight" : "add \"elastic\": {} to its behaviors, or move its shape");
}

} // namespace loam
