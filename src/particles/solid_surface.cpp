#include "particles/solid_surface.h"

#include <array>
#include <cmath>

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

// The place on the surface, or `depth` below it, that is nearest.
Vec3d foot(const Shape& shape, Vec3d at, double depth) {
    constexpr int most_rounds = 3; // one where distances are exact
    for (int round = 0; round < most_rounds; ++round) {
        const double off = shape.distance(at) + depth;
        if (round > 0 && std::abs(off) < 1e-9 * (1 + length(at))) break;
        at -= off * shape.normal(at);
    }
    return at;
}

// How the surface bends at the foot of a place outside: by principal radii, 0 across an edge, infinite where flat.
//
// When the place at a distance d moves by t along the surface, its foot moves by R / (R + d) t.
struct Bends {
    double least = 0, most = 0;
    bool sharp(double spacing) const { return least < 0.05 * spacing; }
    bool corner(double spacing) const { return most < 0.05 * spacing; }
};

class PointFinder {
public:
    PointFinder(const Shape& shape, double spacing)
        : shape_(shape), spacing_(spacing), flat_(shape.bounds().size().z == 0), found_(spacing) {}

    // First corners, then edges, then faces: what is sharper stands for what is near to it.
    std::vector<TouchPoint> points(std::span<const Vec3d> particles) {
        std::vector<Vec3d> outermost;
        for (const Vec3d& p : particles)
            if (shape_.distance(p) > -1.01 * spacing_) outermost.push_back(p);
        std::vector<Place> sharp;
        for (const Vec3d& p : outermost) look_around(p, sharp);
        for (const Place& place : sharp)
            if (place.bends.corner(spacing_)) add(place, 0.1);
        for (const Place& place : sharp)
            if (!place.bends.corner(spacing_)) add(place, 0.6);
        for (const Vec3d& p : outermost) {
            const Place place = place_at(foot(shape_, p, 0), shape_.normal(p), p);
            if (!place.bends.sharp(spacing_)) add(place, 0.3);
        }
        return std::move(points_);
    }

private:
    struct Place { // on the surface
        Vec3d at, out;
        Vec3d particle; // near it, inside
        Bends bends;
    };

    // Edges and corners have a wide view: what lies outside has its foot on them.
    void look_around(const Vec3d& particle, std::vector<Place>& sharp) const {
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    if (std::abs(x) + std::abs(y) + std::abs(z) < 2 || (flat_ && z != 0)) continue;
                    const Vec3d from = particle + 3 * spacing_ * normalized(Vec3d{double(x), double(y), double(z)});
                    if (!(shape_.distance(from) > 0.1 * spacing_)) continue;
                    const Vec3d at = foot(shape_, from, 0);
                    if (length(at - particle) > 2 * spacing_ || std::abs(shape_.distance(at)) > 0.01 * spacing_)
                        continue;
                    const Place place = place_at(at, normalized(from - at), particle);
                    if (place.bends.sharp(spacing_)) sharp.push_back(place);
                }
    }

    Place place_at(const Vec3d& at, const Vec3d& out, const Vec3d& particle) const {
        return {at, out, particle, bends_at(at, out)};
    }

    Bends bends_at(const Vec3d& at, const Vec3d& out) const {
        const double away = 0.5 * spacing_, aside = 0.05 * spacing_;
        const Vec3d from = at + away * out;
        const Vec3d first =
            flat_ || std::abs(out.z) < 0.7 ? normalized(Vec3d{-out.y, out.x, 0}) : normalized(Vec3d{0, -out.z, out.y});
        const std::array<Vec3d, 2> along{first, cross(out, first)};
        double moved[2][2]{};
        for (int k = 0; k < (flat_ ? 1 : 2); ++k) {
            const Vec3d way = (foot(shape_, from + aside * along[k], 0) - foot(shape_, from - aside * along[k], 0));
            for (int i = 0; i < 2; ++i) moved[i][k] = dot(way, along[i]) / (2 * aside);
        }
        const auto radius = [&](double share) {
            constexpr double straight = 0.998;
            return share > straight ? HUGE_VAL : away * std::max(share, 0.0) / (1 - share);
        };
        if (flat_) return {radius(moved[0][0]), radius(moved[0][0])};
        const double mean = 0.5 * (moved[0][0] + moved[1][1]);
        const double spread =
            std::hypot(0.5 * (moved[0][0] - moved[1][1]), 0.5 * (moved[0][1] + moved[1][0])); // of the eigenvalues
        return {radius(mean - spread), radius(mean + spread)};
    }

    void add(const Place& place, double apart) {
        if (found_.any_near(place.at, apart * spacing_)) return;
        found_.add(place.at);
        const bool sharp = place.bends.sharp(spacing_);
        const double bend = sharp ? place.bends.most : place.bends.least; // of an edge: along it
        TouchPoint point{.at = place.at};
        if (sharp)
            sink(point, place.particle);
        else
            sink(point, place.out, std::min(0.5 * spacing_, 0.5 * bend));
        if (!place.bends.corner(spacing_) && std::isfinite(bend)) {
            point.bend = bend - point.radius;
            point.sag = std::min(0.3 * spacing_ / bend, 0.5) * spacing_;
        }
        points_.push_back(point);
    }

    // As deep as this part of the surface is the nearest one.
    void sink(TouchPoint& point, const Vec3d& out, double most) const {
        for (double radius = most; radius > 0.05 * most; radius *= 0.5) {
            const Vec3d center = point.at - radius * out;
            if (-shape_.distance(center) < 0.99 * radius) continue;
            point.at = center, point.radius = radius;
            return;
        }
    }
    // From an edge or corner towards a particle.
    void sink(TouchPoint& point, const Vec3d& particle) const {
        point.tip = 0.25 * spacing_ * normalized(point.at - particle);
        point.at -= point.tip;
    }

    const Shape& shape_;
    double spacing_;
    bool flat_;
    PointGrid found_;
    std::vector<TouchPoint> points_;
};

} // namespace

ShapePtr balls(std::span<const Vec3d> centers, double radius) { return std::make_shared<Balls>(centers, radius); }

ShapePtr piece_of(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles, double spacing) {
    return one_of_several ? std::make_shared<Piece>(shape, particles, spacing) : shape;
}

double SolidSurface::reach_from(const Vec3d& center) const {
    double reach = 0;
    for (const TouchPoint& point : points)
        reach = std::max(reach, length(point.at + point.tip - center) + point.radius);
    return reach;
}

SolidSurface solid_surface(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles,
                           double spacing) {
    SolidSurface surface;
    if (!shape) { // every particle touches
        surface.shape = balls(particles, 0.5 * spacing);
        for (const Vec3d& p : particles) surface.points.push_back({.at = p, .radius = 0.5 * spacing});
        return surface;
    }
    surface.shape = piece_of(shape, one_of_several, particles, spacing);
    surface.points = PointFinder(*shape, spacing).points(particles);
    return surface;
}

// Steepest descent on the surface at the depth of the ball, with the step of Barzilai and Borwein (1988): from how much
// the slope has changed over the last step. On an edge the slope is along it, because feet stay there.
std::optional<TouchPoint> slide(const Shape& shape, const TouchPoint& from, const Other& other) {
    constexpr int most_steps = 12;
    constexpr double level = 1e-6, nearly_level = 1e-3, most_stretch = 3;
    const double probe = 0.1 * from.bend;
    const auto slope = [&](const Vec3d& place, const Nearness& near) {
        return (place - foot(shape, place - probe * near.away, from.radius)) / probe;
    };
    Vec3d place = from.at + from.tip; // of the center, or of the edge
    Nearness near = other(place - from.tip);
    Vec3d down = slope(place, near);
    double stride = from.bend;
    for (int step = 0; step < most_steps && length(down) > level; ++step) {
        const Vec3d next = foot(shape, place - stride * down, from.radius);
        const Nearness there = other(next - from.tip);
        if (there.distance > near.distance) {
            stride *= 0.5;
            continue;
        }
        const Vec3d slope_there = slope(next, there), way = next - place, change = slope_there - down;
        const double bent = dot(way, change);
        stride = bent > 0 ? std::min(dot(way, way) / bent, most_stretch * from.bend) : from.bend;
        place = next, near = there, down = slope_there;
    }
    if (length(down) > nearly_level) return std::nullopt;
    TouchPoint there = from;
    there.at = place - from.tip;
    return there;
}

} // namespace loam
