// How a body begins, beside its shape: fields of place.
#include "scene/scene.h"

namespace loam {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Property about() {
    return vector("about", "m", {infinite, infinite, infinite},
                  "The point from which `r` is measured; the body's center when left out.");
}

} // namespace

const Declaration& start_declaration() {
    static const Declaration declaration{
        "start", "Fields of place that a body begins with, in addition to its `velocity`.", {}};
    return declaration;
}

const Declaration& start_velocity_declaration() {
    static const Declaration declaration{
        "velocity",
        "A velocity that differs from place to place. What is given is added up, and the body's `velocity` to it.",
        {
            vector("spin", "rad/s", {}, "Turns as one, about this axis at this rate: spin x r; [0, 0, w] in 2D."),
            vector("rates", "1/s", {}, "Stretches along x, y and z: rates * r, axis by axis."),
            about(),
        }};
    return declaration;
}

const Declaration& start_displacement_declaration() {
    static const Declaration declaration{
        "displacement",
        "Where an elastic body begins, seen from its shape at rest: it begins strained. What is given is added up.",
        {
            vector("turn", "degrees", {}, "Turns as one, about this axis by this angle; [0, 0, angle] in 2D."),
            vector("stretch", "", {}, "Strain along x, y and z: stretch * r, axis by axis."),
            about(),
        }};
    return declaration;
}

const Declaration& gradient_declaration() {
    static const Declaration declaration{
        "gradient",
        "A matrix: each component of the field grows by so much per metre along x, y and z.",
        {
            vector("x", "", {}, "Of the component along x; [0, 1, 0] is a shear that grows with y."),
            vector("y", "", {}, "Of the component along y."),
            vector("z", "", {}, "Of the component along z."),
        }};
    return declaration;
}

const Declaration& formula_declaration() {
    static const Declaration declaration{"formula",
                                         "A formula for each component, of the place `x`, `y`, `z` in metres: "
                                         "`\"0.3*sin(2*pi*x)\"`. It may use + - * / ^, "
                                         "brackets, `pi`, `e` and the functions abs, acos, asin, atan, atan2, cos, "
                                         "cosh, exp, floor, log, max, min, sin, "
                                         "sinh, sqrt, step (0 below 0, else 1), tan and tanh.",
                                         {
                                             text("x", "", "The component along x; nothing when left out."),
                                             text("y", "", "Along y."),
                                             text("z", "", "Along z."),
                                         }};
    return declaration;
}

} // namespace loam
