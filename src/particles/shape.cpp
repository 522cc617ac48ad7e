#include "particles/shape.h"

#include "particles/shapes/kinds.h"
#include "particles/sheet.h"

namespace loam {

Vec3d Shape::normal(const Vec3d& at) const {
    const double step = 1e-6 * (1 + std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}));
    Vec3d n;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Vec3d ahead = at, behind = at;
        ahead[axis] += step, behind[axis] -= step;
        n[axis] = distance(ahead) - distance(behind);
    }
    n = normalized(n);
    return n == Vec3d{} ? Vec3d{0, 1, 0} : n; // in the very middle any direction leads out
}

namespace {

class Section final : public Shape, public SheetSource {
public:
    explicit Section(ShapePtr shape) : shape_(std::move(shape)) {}
    double distance(const Vec3d& at) const override { return shape_->distance(flat(at)); }
    double eroded(const Vec3d& at, double depth) const override { return shape_->eroded(flat(at), depth); }
    bool on_patch(const Vec3d& at) const override { return shape_->on_patch(flat(at)); }
    bool bounded() const override { return shape_->bounded(); }
    Bounds bounds() const override {
        Bounds b = shape_->bounds();
        b.lo.z = b.hi.z = 0;
        return b;
    }
    Vec3d normal(const Vec3d& at) const override {
        const Vec3d n = normalized(flat(shape_->normal(flat(at))));
        return n == Vec3d{} ? Vec3d{0, 1, 0} : n;
    }
    std::optional<Sheet> sheet(double spacing) const override { return sheet_of(*shape_, spacing); }
    double points(double spacing) const override { return points_of_sheet(*shape_, spacing); }

private:
    static Vec3d flat(const Vec3d& at) { return {at.x, at.y, 0}; }
    ShapePtr shape_;
};

// In 2D every kind gives the section of what it would give in 3D.
ShapeKind with_section(ShapeKind kind) {
    kind.make = [make = std::move(kind.make)](const Values& values, const ShapeContext& context) -> Result<ShapePtr> {
        Result<ShapePtr> shape = make(values, context);
        if (!shape || context.dimensions == 3) return shape;
        return section(std::move(*shape));
    };
    return kind;
}

std::vector<ShapeKind> all_kinds() {
    std::vector<ShapeKind> all;
    for (const auto& family : {primitive_kinds(), round_kinds(), heightfield_kinds(), mesh_kinds(), animation_kinds(),
                               figure_kinds(), sheet_kinds()})
        for (const ShapeKind& kind : family) all.push_back(with_section(kind));
    return all;
}

} // namespace

ShapePtr section(ShapePtr shape) { return std::make_shared<Section>(std::move(shape)); }

std::span<const ShapeKind> shape_kinds() {
    static const std::vector<ShapeKind> kinds = all_kinds();
    return kinds;
}

} // namespace loam
