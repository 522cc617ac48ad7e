// Shapes as signed distances: negative inside. Every shape of a scene, from a box to a combination of meshes, is one of
// these; bodies are filled from them, boundaries are covered with particles on them, and walls push back by them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/declaration.h"
#include "base/result.h"
#include "base/vec.h"

namespace loam {

// A rigid motion and a uniform scale: p' = translation + rotation (scale p), rotation by unit quaternion.
struct Placement {
    Vec3d translation;
    Vec3d axis{0, 1, 0};
    double angle = 0; // radians about axis
    double scale = 1;

    Vec3d apply(const Vec3d& p) const;
    Vec3d invert(const Vec3d& p) const;
    Vec3d rotate(const Vec3d& direction) const;
};

class Shape {
public:
    virtual ~Shape() = default;
    virtual double distance(const Vec3d& at) const = 0;
    // Contains the surface and, unless the shape is inverted or unbounded, the inside.
    virtual Bounds bounds() const = 0;
    // False when the inside reaches beyond bounds(): an inverted shape, a half space.
    virtual bool bounded() const { return true; }
    // Unit vector along which the distance grows fastest.
    virtual Vec3d normal(const Vec3d& at) const;
    // The distance to the surface after it has moved `depth` into the solid (or out of it, if negative). Shapes with
    // sharp edges keep them sharp: a box shrinks to a box, the walls of a container move out to a larger box.
    virtual double eroded(const Vec3d& at, double depth) const { return distance(at) + depth; }
    // False where the surface near `at` is not to be covered: beyond the patch of a plane or height field, whose
    // surface goes on for ever.
    virtual bool on_patch(const Vec3d&) const { return true; }
    // Of a shape that was turned as a whole: what it was before, in whose axes its particles lie. Else null.
    virtual const Shape* before_placed(Placement& /*by*/, int /*dimensions*/) const { return nullptr; }
};

using ShapePtr = std::shared_ptr<const Shape>;

// What making a shape may depend on besides its own values.
struct ShapeContext {
    std::string folder; // relative file names start here
    int dimensions = 3;
    double spacing = 0.02; // distance of particles; detail below it does not matter
};

// A primitive: its declaration and the way from values to a shape. Errors name the property in `where`.
struct ShapeKind {
    Declaration declaration;
    std::function<Result<ShapePtr>(const Values&, const ShapeContext&)> make;
};

std::span<const ShapeKind> shape_kinds(); // box, sphere, cylinder, ..., mesh

// Combinations. `smooth` > 0 [m] rounds the seam.
ShapePtr unite(std::vector<ShapePtr> parts, double smooth = 0);
ShapePtr intersect(std::vector<ShapePtr> parts, double smooth = 0);
ShapePtr subtract(ShapePtr from, std::vector<ShapePtr> parts, double smooth = 0);
ShapePtr invert(ShapePtr shape);                   // a container: the outside is solid
ShapePtr hollow(ShapePtr shape, double thickness); // a skin of that thickness, inside of the surface

ShapePtr place(ShapePtr shape, const Placement& placement);

} // namespace loam
