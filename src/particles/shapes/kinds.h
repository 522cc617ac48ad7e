// The families of shapes, and the pieces they share. Inside of src/particles only.
#pragma once

#include "particles/shape.h"

namespace loam {

std::vector<ShapeKind> primitive_kinds();
std::vector<ShapeKind> round_kinds();
std::vector<ShapeKind> heightfield_kinds();
std::vector<ShapeKind> mesh_kinds();
std::vector<ShapeKind> animation_kinds();
std::vector<ShapeKind> figure_kinds();
std::vector<ShapeKind> sheet_kinds();

inline Error wrong(std::string property, std::string what, std::string hint = "") {
    return {Fault::scene, std::move(property), std::move(what), std::move(hint)};
}

// A shape from a distance function and bounds.
template <class Distance> class Primitive final : public Shape {
public:
    Primitive(Bounds bounds, Distance distance) : bounds_(bounds), distance_(std::move(distance)) {}
    double distance(const Vec3d& at) const override { return distance_(at); }
    Bounds bounds() const override { return bounds_; }

private:
    Bounds bounds_;
    Distance distance_;
};

template <class Distance> ShapePtr primitive(Bounds bounds, Distance distance) {
    return std::make_shared<Primitive<Distance>>(bounds, std::move(distance));
}

// For 2D scenes: the section of a shape with the plane z = 0. When the shape is symmetric about that plane, its
// distance is the distance within the plane.
ShapePtr section(ShapePtr shape);

// A copy of the distances on a grid of about half the spacing near the surface, coarser away from it: for shapes whose
// own distance is slow.
ShapePtr cached(const ShapePtr& shape, double spacing);

} // namespace loam
