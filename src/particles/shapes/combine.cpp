// Combinations of shapes: union, intersection, difference, inversion, skin, placement.
#include "base/turned.h"
#include "particles/shapes/distances.h"
#include "particles/shapes/kinds.h"
#include "particles/sheet.h"

namespace loam {
namespace {

Bounds common(const Bounds& a, const Bounds& b) {
    Bounds c{max(a.lo, b.lo), min(a.hi, b.hi)};
    for (std::size_t axis = 0; axis < 3; ++axis) // parts that do not meet: an empty shape at one place
        if (c.lo[axis] > c.hi[axis]) c.lo[axis] = c.hi[axis] = 0.5 * (c.lo[axis] + c.hi[axis]);
    return c;
}

// Union when `sign` is 1: the smallest distance counts. Intersection when it is -1: the largest one.
class Joined final : public Shape {
public:
    Joined(std::vector<ShapePtr> parts, double smooth, int sign)
        : parts_(std::move(parts)), smooth_(smooth), sign_(sign) {
        bounded_ = sign > 0;
        for (const ShapePtr& part : parts_) {
            bounds_.add(part->bounds());
            part_bounds_.push_back(part->bounds());
            bounded_ = sign > 0 ? bounded_ && part->bounded() : bounded_ || part->bounded();
        }
        if (sign < 0 && bounded_) intersect_bounds();
        if (sign > 0 && smooth > 0) bounds_ = bounds_.grown(0.25 * smooth);
    }

    double distance(const Vec3d& at) const override {
        if (sign_ < 0) return join([&](const Shape& part) { return part.distance(at); });
        double joined = parts_[0]->distance(at);
        for (std::size_t i = 1; i < parts_.size(); ++i)
            if (!beyond(i, at, joined + smooth_)) joined = two(joined, parts_[i]->distance(at));
        return joined;
    }
    double eroded(const Vec3d& at, double depth) const override {
        return join([&](const Shape& part) { return part.eroded(at, depth); });
    }
    Bounds bounds() const override { return bounds_; }
    bool bounded() const override { return bounded_; }
    bool on_patch(const Vec3d& at) const override { return parts_[nearest(at)]->on_patch(at); }

    // Of the part that counts; near a smooth seam, of all parts by their share in the distance.
    Vec3d normal(const Vec3d& at) const override {
        if (smooth_ <= 0) return parts_[nearest(at)]->normal(at);
        double joined = parts_[0]->distance(at);
        Vec3d n = parts_[0]->normal(at);
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            if (sign_ > 0 && beyond(i, at, joined + smooth_)) continue;
            const double d = parts_[i]->distance(at);
            const double difference = sign_ * (d - joined);
            const double other = 0.5 * std::max(0.0, 1 - std::abs(difference) / smooth_);
            const double share = difference < 0 ? 1 - other : other;
            if (share > 0) n = (1 - share) * n + share * parts_[i]->normal(at);
            joined = two(joined, d);
        }
        n = normalized(n);
        return n == Vec3d{} ? parts_[nearest(at)]->normal(at) : n;
    }

private:
    double two(double a, double b) const { return sign_ > 0 ? smooth_min(a, b, smooth_) : smooth_max(a, b, smooth_); }

    // A part whose bounds are farther away cannot change the distance.
    bool beyond(std::size_t i, const Vec3d& at, double distance) const {
        if (distance < 0 || !parts_[i]->bounded()) return false;
        const Vec3d off = max(max(part_bounds_[i].lo - at, at - part_bounds_[i].hi), Vec3d{});
        return dot(off, off) > distance * distance;
    }

    template <class Of> double join(const Of& of) const {
        double joined = of(*parts_[0]);
        for (std::size_t i = 1; i < parts_.size(); ++i) joined = two(joined, of(*parts_[i]));
        return joined;
    }
    std::size_t nearest(const Vec3d& at) const {
        std::size_t best = 0;
        double least = sign_ * parts_[0]->distance(at);
        for (std::size_t i = 1; i < parts_.size(); ++i) {
            if (sign_ > 0 && beyond(i, at, least)) continue;
            const double d = sign_ * parts_[i]->distance(at);
            if (d < least) least = d, best = i;
        }
        return best;
    }
    void intersect_bounds() {
        bool first = true;
        for (const ShapePtr& part : parts_) {
            if (!part->bounded()) continue;
            bounds_ = first ? part->bounds() : common(bounds_, part->bounds());
            first = false;
        }
    }

    std::vector<ShapePtr> parts_;
    double smooth_;
    int sign_;
    Bounds bounds_;
    std::vector<Bounds> part_bounds_;
    bool bounded_;
};

class Inverted final : public Shape {
public:
    explicit Inverted(ShapePtr shape) : shape_(std::move(shape)) {}
    double distance(const Vec3d& at) const override { return -shape_->distance(at); }
    double eroded(const Vec3d& at, double depth) const override { return -shape_->eroded(at, -depth); }
    Bounds bounds() const override { return shape_->bounds(); }
    bool bounded() const override { return false; }
    bool on_patch(const Vec3d& at) const override { return shape_->on_patch(at); }
    Vec3d normal(const Vec3d& at) const override { return -shape_->normal(at); }
    const ShapePtr& inner() const { return shape_; }

private:
    ShapePtr shape_;
};

class Hollow final : public Shape {
public:
    Hollow(ShapePtr shape, double thickness) : shape_(std::move(shape)), thickness_(thickness) {
        // The skin of a container lies around it.
        const auto* container = dynamic_cast<const Inverted*>(shape_.get());
        around_ = container && container->inner()->bounded();
    }
    double distance(const Vec3d& at) const override {
        return std::max(shape_->distance(at), -shape_->eroded(at, thickness_));
    }
    double eroded(const Vec3d& at, double depth) const override {
        return std::max(shape_->eroded(at, depth), -shape_->eroded(at, thickness_ - depth));
    }
    Bounds bounds() const override { return around_ ? shape_->bounds().grown(thickness_) : shape_->bounds(); }
    bool bounded() const override { return around_ || shape_->bounded(); }
    bool on_patch(const Vec3d& at) const override { return shape_->on_patch(at); }
    Vec3d normal(const Vec3d& at) const override {
        const bool outer = shape_->distance(at) > -shape_->eroded(at, thickness_);
        return outer ? shape_->normal(at) : -shape_->normal(at);
    }

private:
    ShapePtr shape_;
    double thickness_;
    bool around_;
};

class Placed final : public Shape, public SheetSource {
public:
    Placed(ShapePtr shape, const Placement& placement) : shape_(std::move(shape)), placement_(placement) {}
    double distance(const Vec3d& at) const override {
        return placement_.scale * shape_->distance(placement_.invert(at));
    }
    double eroded(const Vec3d& at, double depth) const override {
        return placement_.scale * shape_->eroded(placement_.invert(at), depth / placement_.scale);
    }
    Bounds bounds() const override {
        const Bounds b = shape_->bounds();
        if (placement_.angle == 0) return {placement_.apply(b.lo), placement_.apply(b.hi)};
        Bounds all;
        for (int corner = 0; corner < 8; ++corner)
            all.add(placement_.apply(
                {corner & 1 ? b.hi.x : b.lo.x, corner & 2 ? b.hi.y : b.lo.y, corner & 4 ? b.hi.z : b.lo.z}));
        return all;
    }
    bool bounded() const override { return shape_->bounded(); }
    bool on_patch(const Vec3d& at) const override { return shape_->on_patch(placement_.invert(at)); }
    Vec3d normal(const Vec3d& at) const override { return placement_.rotate(shape_->normal(placement_.invert(at))); }
    const Shape* before_placed(Placement& by, int dimensions) const override {
        const bool in_plane = placement_.axis.x == 0 && placement_.axis.y == 0;
        if (placement_.angle == 0 || (dimensions == 2 && !in_plane)) return nullptr;
        by = placement_;
        return shape_.get();
    }
    std::optional<Sheet> sheet(double spacing) const override {
        std::optional<Sheet> placed = sheet_of(*shape_, spacing / placement_.scale);
        if (!placed) return placed;
        const double scale = placement_.scale;
        for (Vec3d& p : placed->points) p = placement_.apply(p);
        for (double& share : placed->shares) share *= placed->is_rope() ? scale : scale * scale;
        return placed;
    }
    double points(double spacing) const override { return points_of_sheet(*shape_, spacing / placement_.scale); }

private:
    ShapePtr shape_;
    Placement placement_;
};

} // namespace

ShapePtr unite(std::vector<ShapePtr> parts, double smooth) {
    if (parts.size() == 1) return parts[0];
    return std::make_shared<Joined>(std::move(parts), smooth, 1);
}

ShapePtr intersect(std::vector<ShapePtr> parts, double smooth) {
    if (parts.size() == 1) return parts[0];
    return std::make_shared<Joined>(std::move(parts), smooth, -1);
}

ShapePtr subtract(ShapePtr from, std::vector<ShapePtr> parts, double smooth) {
    std::vector<ShapePtr> all{std::move(from)};
    for (ShapePtr& part : parts) all.push_back(invert(std::move(part)));
    return intersect(std::move(all), smooth);
}

ShapePtr invert(ShapePtr shape) {
    if (const auto* inverted = dynamic_cast<const Inverted*>(shape.get())) return inverted->inner();
    return std::make_shared<Inverted>(std::move(shape));
}

ShapePtr hollow(ShapePtr shape, double thickness) { return std::make_shared<Hollow>(std::move(shape), thickness); }

ShapePtr place(ShapePtr shape, const Placement& placement) {
    return std::make_shared<Placed>(std::move(shape), placement);
}

Vec3d Placement::apply(const Vec3d& p) const { return translation + rotate(scale * p); }
Vec3d Placement::invert(const Vec3d& p) const {
    const Vec3d from = p - translation;
    return (angle == 0 ? from : turned(from, normalized(axis), -angle)) / scale;
}
Vec3d Placement::rotate(const Vec3d& direction) const {
    return angle == 0 ? direction : turned(direction, normalized(axis), angle);
}

} // namespace loam
