#include "behaviors/rigid/surface_points.h"

#include "particles/point_grid.h"

namespace loam {
namespace {

class Balls : public Shape {
public:
    Balls(std::span<const Vec3d> centers, double radius) : grid_(4 * radius), radius_(radius) {
        for (const Vec3d& p : centers) grid_.add(p), bounds_.add(p);
        bounds_ = bounds_.grown(radius);
    }

    double distance(const Vec3d& at) const override { return std::sqrt(nearest(at).squared) - radius_; }
    Vec3d normal(const Vec3d& at) const override {
        const Vec3d way = at - grid_[nearest(at).index];
        return dot(way, way) > 0 ? normalized(way) : Vec3d{0, 1, 0};
    }
    Bounds bounds() const override { return bounds_; }

private:
    struct Nearest {
        std::uint32_t index = 0;
        double squared = 1e300;
    };
    Nearest nearest(const Vec3d& at) const {
        Nearest best;
        double reach = 4 * radius_;
        const double most = 2 * (length(bounds_.size()) + length(at - bounds_.center()));
        for (; best.squared == 1e300 && reach < 2 * most; reach *= 4)
            grid_.near(at, std::min(reach, most), [&](std::uint32_t n, double r2) {
                if (r2 < best.squared) best = {n, r2};
                return false;
            });
        return best;
    }

    PointGrid grid_;
    double radius_;
    Bounds bounds_;
};

// The part of a shape that lies at the particles of one piece.
class Piece : public Shape {
public:
    Piece(ShapePtr whole, std::span<const Vec3d> particles, double spacing)
        : whole_(std::move(whole)), cover_(balls(particles, spacing)) {}
    double distance(const Vec3d& at) const override { return std::max(whole_->distance(at), cover_->distance(at)); }
    Vec3d normal(const Vec3d& at) const override {
        return whole_->distance(at) < cover_->distance(at) ? cover_->normal(at) : whole_->normal(at);
    }
    Bounds bounds() const override { return cover_->bounds(); }

private:
    ShapePtr whole_, cover_;
};

} // namespace

ShapePtr balls(std::span<const Vec3d> centers, double radius) { return std::make_shared<Balls>(centers, radius); }

ShapePtr piece_of(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles, double spacing) {
    return one_of_several ? std::make_shared<Piece>(shape, particles, spacing) : shape;
}

ContactGeometry contact_geometry(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles,
                                 const Vec3d& center, double spacing) {
    ContactGeometry geometry;
    if (!shape) { // every particle touches
        geometry.shape = balls(particles, 0.5 * spacing);
        for (const Vec3d& p : particles) geometry.points.push_back({p - center, 0.5 * spacing});
        return geometry;
    }
    geometry.shape = piece_of(shape, one_of_several, particles, spacing);
    for (const Vec3d& p : particles)
        if (const double depth = -shape->distance(p); depth < 1.01 * spacing)
            geometry.points.push_back({p - center, std::max(depth, 0.1 * spacing)});
    return geometry;
}

} // namespace loam
