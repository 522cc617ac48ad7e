// Spheres, ellipsoids and solids of revolution. In 2D all points are moved to z = 0 and the section is taken there:
// an axis within the plane makes a cylinder a rectangle, and an axis along z makes it a circle.
#include "particles/shapes/distances.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

class Sphere final : public Shape {
public:
    Sphere(const Vec3d& center, double radius) : center_(center), radius_(radius) {}
    double distance(const Vec3d& at) const override { return length(at - center_) - radius_; }
    Bounds bounds() const override { return Bounds{center_, center_}.grown(radius_); }
    Vec3d normal(const Vec3d& at) const override {
        const Vec3d n = normalized(at - center_);
        return n == Vec3d{} ? Vec3d{0, 1, 0} : n;
    }

private:
    Vec3d center_;
    double radius_;
};

ShapePtr sphere(const Vec3d& center, double radius) { return std::make_shared<Sphere>(center, radius); }

Vec3d point_of(const Values& values, const char* name, const ShapeContext& context) {
    Vec3d p = values.vector(name);
    if (context.dimensions == 2) p.z = 0;
    return p;
}

// Of a solid about an axis with the given radii at its ends, without anything beyond the ends.
Bounds disc_bounds(const Vec3d& from, const Vec3d& to, double a, double b) {
    const Vec3d n = normalized(to - from);
    const auto reach = [](double c) { return std::sqrt(std::max(0.0, 1 - c * c)); };
    const Vec3d across{reach(n.x), reach(n.y), reach(n.z)};
    Bounds all{from - a * across, from + a * across};
    all.add(Bounds{to - b * across, to + b * across});
    return all;
}

Result<ShapePtr> make_sphere(const Values& values, const ShapeContext& context) {
    return sphere(point_of(values, "center", context), values.number("radius"));
}

Result<ShapePtr> make_ellipsoid(const Values& values, const ShapeContext& context) {
    const Vec3d center = point_of(values, "center", context);
    Vec3d radii = values.vector("radii");
    if (context.dimensions == 2) radii.z = 1e3 * std::max(radii.x, radii.y); // its section is an ellipse all along z
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (!(radii[axis] > 0)) return wrong("radii", "must all be above 0");
    return primitive({center - radii, center + radii},
                     [=](const Vec3d& at) { return ellipsoid_distance(at - center, radii); });
}

struct Axis {
    Vec3d from, to;
    bool is_point;
};

// An axis along z is a point in 2D.
Result<Axis> axis_of(const Values& values, const ShapeContext& context) {
    const Axis axis{point_of(values, "from", context), point_of(values, "to", context), false};
    const bool is_point = axis.from == axis.to;
    if (is_point && (context.dimensions == 3 || values.vector("from") == values.vector("to")))
        return wrong("to", "is the same point as \"from\"", "the two points are the ends of the axis");
    return Axis{axis.from, axis.to, is_point};
}

Result<ShapePtr> make_cylinder(const Values& values, const ShapeContext& context) {
    const Result<Axis> axis = axis_of(values, context);
    if (!axis) return axis.error();
    const double r = values.number("radius");
    const Vec3d from = axis->from, to = axis->to;
    if (axis->is_point) return sphere(from, r);
    return primitive(disc_bounds(from, to, r, r), [=](const Vec3d& at) { return cylinder_distance(at, from, to, r); });
}

Result<ShapePtr> make_capsule(const Values& values, const ShapeContext& context) {
    const double r = values.number("radius");
    const Vec3d from = point_of(values, "from", context), to = point_of(values, "to", context);
    Bounds bounds{from, from};
    bounds.add(to);
    return primitive(bounds.grown(r), [=](const Vec3d& at) { return segment_distance(at, from, to) - r; });
}

Result<ShapePtr> make_cone(const Values& values, const ShapeContext& context) {
    const Result<Axis> axis = axis_of(values, context);
    if (!axis) return axis.error();
    const double a = values.number("radius_from"), b = values.number("radius_to");
    if (!(a + b > 0)) return wrong("radius_from", "is 0, and so is radius_to", "one end needs a radius above 0");
    const Vec3d from = axis->from, to = axis->to;
    if (axis->is_point) return sphere(from, std::max(a, b));
    return primitive(disc_bounds(from, to, a, b), [=](const Vec3d& at) { return cone_distance(at, from, to, a, b); });
}

Result<ShapePtr> make_torus(const Values& values, const ShapeContext& context) {
    const Vec3d center = point_of(values, "center", context);
    Vec3d axis = normalized(values.vector("axis"));
    if (context.dimensions == 2) axis = {0, 0, 1};
    if (axis == Vec3d{}) return wrong("axis", "has no direction");
    const double ring = values.number("radius"), tube = values.number("tube");
    if (tube > ring) return wrong("tube", "is more than the radius of the ring");
    const Bounds bounds = disc_bounds(center, center + 1e-9 * ring * axis, ring, ring).grown(tube);
    return primitive(bounds, [=](const Vec3d& at) {
        const Vec3d p = at - center;
        const double along = dot(p, axis);
        return std::hypot(length(p - along * axis) - ring, along) - tube;
    });
}

Result<ShapePtr> make_disk(const Values& values, const ShapeContext& context) {
    const Vec3d center = point_of(values, "center", context);
    const Vec3d normal = normalized(point_of(values, "normal", context));
    if (normal == Vec3d{}) return wrong("normal", "has no direction");
    double thickness = values.number("thickness");
    if (thickness == 0) thickness = context.spacing;
    const double radius = values.number("radius");
    const Vec3d from = center - 0.5 * thickness * normal, to = center + 0.5 * thickness * normal;
    return primitive(disc_bounds(from, to, radius, radius),
                     [=](const Vec3d& at) { return cylinder_distance(at, from, to, radius); });
}

} // namespace

std::vector<ShapeKind> round_kinds() {
    const Property center = vector("center", "m", {0, 0, 0}, "its middle");
    const Property radius = number("radius", "m", 0.5, positive, "its radius");
    const Property from = vector("from", "m", {0, 0, 0}, "start of the axis").needed();
    const Property to = vector("to", "m", {0, 1, 0}, "end of the axis").needed();
    return {
        {{"sphere", "A ball; in 2D a disc.", {center, Property(radius).needed()}}, make_sphere},
        {{"circle", "The same as sphere, for 2D scenes.", {center, Property(radius).needed()}}, make_sphere},
        {{"ellipsoid",
          "A ball with three radii along the axes; in 2D an ellipse.",
          {center, vector("radii", "m", {0.5, 0.5, 0.5}, "half of its size along x, y, z", positive).needed()}},
         make_ellipsoid},
        {{"cylinder",
          "A cylinder with flat ends. In 2D a rectangle along its axis, or a disc when the axis is along z.",
          {from, to, Property(radius).needed()}},
         make_cylinder},
        {{"capsule", "All that is within a radius of a segment; also in 2D.", {from, to, Property(radius).needed()}},
         make_capsule},
        {{"cone",
          "A cone, cut off when both radii are above 0. In 2D a triangle or trapezoid along its axis.",
          {from, to, number("radius_from", "m", 0.5, not_negative, "radius at the start of the axis"),
           number("radius_to", "m", 0, not_negative, "radius at the end of the axis")}},
         make_cone},
        {{"torus",
          "A ring with a round section. In 2D an annulus: its axis is z.",
          {center, vector("axis", "", {0, 1, 0}, "axis of the ring"), Property(radius).needed(),
           number("tube", "m", 0.1, positive, "radius of its section").needed()}},
         make_torus},
        {{"disk",
          "A thin round plate. In 2D a bar across its normal.",
          {center, vector("normal", "", {0, 1, 0}, "direction at right angles to the plate"), Property(radius).needed(),
           number("thickness", "m", 0, not_negative, "of the plate; 0 for the thickness of one particle")}},
         make_disk},
    };
}

} // namespace loam
