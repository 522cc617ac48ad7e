// Boxes and planes: shapes with flat faces.
#include "particles/shapes/distances.h"
#include "particles/shapes/kinds.h"

#include "base/text.h"

namespace loam {
namespace {

class Box final : public Shape {
public:
    Box(const Vec3d& lo, const Vec3d& hi, double rounding)
        : bounds_{lo, hi}, center_(0.5 * (lo + hi)), half_(0.5 * (hi - lo)), rounding_(rounding) {}

    double distance(const Vec3d& at) const override { return eroded(at, 0); }
    Bounds bounds() const override { return bounds_; }
    double eroded(const Vec3d& at, double depth) const override {
        const Vec3d half{half_.x - depth, half_.y - depth, half_.z - depth};
        const double rounding = std::max(0.0, rounding_ > 0 ? rounding_ - depth : 0.0);
        return box_distance(at - center_, half - Vec3d{rounding, rounding, rounding}) - rounding;
    }
    Vec3d normal(const Vec3d& at) const override {
        const Vec3d p = at - center_, q = abs(p) - (half_ - Vec3d{rounding_, rounding_, rounding_});
        Vec3d n = max(q, Vec3d{});
        if (dot(n, n) == 0) n[q.x >= q.y && q.x >= q.z ? 0 : q.y >= q.z ? 1 : 2] = 1;
        return normalized(Vec3d{std::copysign(n.x, p.x), std::copysign(n.y, p.y), std::copysign(n.z, p.z)});
    }

private:
    Bounds bounds_;
    Vec3d center_, half_;
    double rounding_;
};

Result<ShapePtr> make_box(const Values& values, const ShapeContext& context) {
    Vec3d lo = values.vector("min"), hi = values.vector("max");
    const double rounding = values.number("rounding");
    if (context.dimensions == 2) lo.z = -1e6, hi.z = 1e6; // section() leaves x and y
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string name(1, "xyz"[axis]);
        if (!(hi[axis] > lo[axis]))
            return wrong("max", name + " is " + number_text(hi[axis]) + ", not above min's " + number_text(lo[axis]));
        if (2 * rounding > hi[axis] - lo[axis])
            return wrong("rounding", number_text(rounding) + " is more than half of the size along " + name,
                         "at most " + number_text(0.5 * (hi[axis] - lo[axis])));
    }
    return ShapePtr(std::make_shared<Box>(lo, hi, rounding));
}

// The half space behind a plane. It has no end; a square patch of it is covered with particles.
class Plane final : public Shape {
public:
    Plane(const Vec3d& point, const Vec3d& normal, double size, const Vec3d& side)
        : point_(point), normal_(normal), half_(0.5 * size), side_(side), other_(cross(normal, side)) {}

    double distance(const Vec3d& at) const override { return dot(at - point_, normal_); }
    Vec3d normal(const Vec3d&) const override { return normal_; }
    bool bounded() const override { return false; }
    Bounds bounds() const override {
        Bounds b;
        for (double u : {-half_, half_})
            for (double v : {-half_, half_}) b.add(point_ + u * side_ + v * other_);
        return b;
    }
    bool on_patch(const Vec3d& at) const override {
        const Vec3d p = at - point_;
        const double reach = half_ * (1 + 1e-9);
        return std::abs(dot(p, side_)) <= reach && std::abs(dot(p, other_)) <= reach;
    }

private:
    Vec3d point_, normal_;
    double half_;
    Vec3d side_, other_;
};

// The axis that is most at right angles to the normal gives the patch its direction, so that patches of floors and
// walls are aligned with the axes.
Vec3d patch_side(const Vec3d& normal, int dimensions) {
    if (dimensions == 2) return {normal.y, -normal.x, 0};
    const Vec3d n = abs(normal);
    const Vec3d axis = n.x <= n.y && n.x <= n.z ? Vec3d{1, 0, 0} : n.z <= n.y ? Vec3d{0, 0, 1} : Vec3d{0, 1, 0};
    return normalized(axis - dot(axis, normal) * normal);
}

Result<ShapePtr> make_plane(const Values& values, const ShapeContext& context) {
    Vec3d normal = values.vector("normal"), point = values.vector("point");
    if (context.dimensions == 2) normal.z = point.z = 0;
    normal = normalized(normal);
    if (normal == Vec3d{}) return wrong("normal", "has no direction", "e.g. [0, 1, 0] for a floor");
    const Vec3d side = patch_side(normal, context.dimensions);
    return ShapePtr(std::make_shared<Plane>(point, normal, values.number("size"), side));
}

} // namespace

std::vector<ShapeKind> primitive_kinds() {
    return {
        {{"box",
          "A box with faces along the axes; in 2D a rectangle, z is not looked at.",
          {vector("min", "m", {0, 0, 0}, "corner with the smallest coordinates").needed(),
           vector("max", "m", {1, 1, 1}, "corner with the largest coordinates").needed(),
           number("rounding", "m", 0, not_negative, "radius of rounded edges, within the box")}},
         make_box},
        {{"plane",
          "All that lies behind a plane, without end; in 2D behind a line. A boundary's particles cover a square patch "
          "around the point.",
          {vector("point", "m", {0, 0, 0}, "a point on the plane, centre of the patch"),
           vector("normal", "", {0, 1, 0}, "direction out of the solid, any length"),
           number("size", "m", 1, positive, "edge length of the patch that is covered with particles")}},
         make_plane},
    };
}

} // namespace loam
