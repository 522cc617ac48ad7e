// A small stand-in for the registries of the program, so that tests of the reader depend on the reader alone.
#pragma once

#include <algorithm>

#include "scene/scene.h"

namespace loam::test {

class Ball final : public Shape {
public:
    Ball(Vec3d center, double radius) : center_(center), radius_(radius) {}
    double distance(const Vec3d& at) const override { return length(at - center_) - radius_; }
    Bounds bounds() const override {
        Bounds b;
        b.add(center_);
        return b.grown(radius_);
    }

private:
    Vec3d center_;
    double radius_;
};

inline std::vector<ShapeKind> some_shapes() {
    const auto box = [](const Values& values, const ShapeContext& context) -> Result<ShapePtr> {
        const Vec3d size = values.vector("max") - values.vector("min");
        if (size.x == 0 || size.y == 0 || (size.z == 0 && context.dimensions == 3))
            return Error{Fault::scene, "max", "the box is empty", "allowed: max above min"};
        return ShapePtr(std::make_shared<Ball>(values.vector("min") + 0.5 * size, 0.5 * length(size)));
    };
    const auto sphere = [](const Values& values, const ShapeContext&) -> Result<ShapePtr> {
        return ShapePtr(std::make_shared<Ball>(values.vector("center"), values.number("radius")));
    };
    const auto mesh = [](const Values& values, const ShapeContext& context) -> Result<ShapePtr> {
        if (values.text("file") == "ball.obj") return ShapePtr(std::make_shared<Ball>(Vec3d{}, 1));
        return Error{Fault::file, "file", "cannot open " + context.folder + "/" + values.text("file"),
                     "check the name"};
    };
    return {
        {{"box",
          "A box along the axes.",
          {vector("min", "m", {}, "Lower corner.").needed(), vector("max", "m", {}, "Upper corner.").needed()}},
         box},
        {{"sphere", "A ball.", {vector("center", "m", {}, "Center."), number("radius", "m", 1, positive, "Radius.")}},
         sphere},
        {{"mesh", "A closed mesh.", {text("file", "", "OBJ, PLY or STL.").needed()}}, mesh}};
}

inline std::vector<Declaration> some_behaviors() {
    return {
        {"gravity",
         "The same acceleration for all.",
         {vector("acceleration", "m/s^2", {0, -9.81, 0}, "How strong and where to.")}},
        {"fluid", "Resists compression.\nMore about it.", {number("density", "kg/m^3", 1000, positive, "At rest.")}},
        {"viscosity",
         "Resists shear.",
         {choice("model", {"artificial", "morris", "implicit"}, "Which law."),
          number("viscosity", "Pa s", 0.001, not_negative, "Dynamic viscosity."),
          integer("passes", 1, {1, 9}, "How often.")}},
        {"dust", "Does nothing.", {}}};
}

inline std::vector<Declaration> some_pressure_solvers() {
    return {{"dfsph",
             "Divergence-free.",
             {number("divergence_error", "", 1e-3, {1e-8, 0.5}, "Largest rate of volume change.")}},
            {"wcsph",
             "Weakly compressible.",
             {number("volume_error", "", 0.01, {1e-8, 0.5}, "Largest compression."),
              choice("equation", {"tait", "linear"}, "Pressure from density.")}}};
}

inline std::vector<Declaration> some_gauges() {
    return {{"level", "How high it stands.", {vector("at", "m", {}, "Where.").needed(), body_name("body", "Of what.")}},
            {"load", "What a body bears.", {body_name("on", "Which.").needed()}}};
}

// Owns what the registries point at.
struct SomeRegistries {
    std::vector<ShapeKind> shapes = some_shapes();
    std::vector<Declaration> behaviors = some_behaviors();
    std::vector<Declaration> pressure_solvers = some_pressure_solvers();
    std::vector<Declaration> gauges = some_gauges();

    Registries view() const { return {shapes, behaviors, pressure_solvers, gauges}; }
};

} // namespace loam::test
