#include <numbers>

#include "particles/shapes/distances.h"
#include "particles/shapes/figures.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

// Catmull-Rom.
template <class T> T spline(const T& a, const T& b, const T& c, const T& d, double t) {
    return 0.5 * ((2.0 * b) + t * (c - a) + (t * t) * (2.0 * a - 5.0 * b + 4.0 * c - d) +
                  (t * t * t) * (3.0 * b - a - 3.0 * c + d));
}

double triangle_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = cross(b - a, c - a);
    if (dot(cross(b - a, n), p - a) <= 0 && dot(cross(c - b, n), p - b) <= 0 && dot(cross(a - c, n), p - c) <= 0)
        return std::abs(dot(p - a, n)) / length(n);
    return std::min({segment_distance(p, a, b), segment_distance(p, b, c), segment_distance(p, c, a)});
}

} // namespace

ShapePtr limb(const Limb& l) {
    Bounds bounds = Bounds{l.from, l.from}.grown(l.radius_from);
    bounds.add(Bounds{l.to, l.to}.grown(l.radius_to));
    return primitive(
        bounds, [l](const Vec3d& at) { return round_cone_distance(at, l.from, l.to, l.radius_from, l.radius_to); });
}

std::vector<ShapePtr> tube(const std::vector<Vec3d>& points, const std::vector<double>& radii, int pieces) {
    const auto at = [&](const auto& list, std::size_t segment, double t) {
        const std::size_t last = list.size() - 1;
        const auto pick = [&](std::size_t i) { return list[std::min(i, last)]; };
        return spline(pick(segment > 0 ? segment - 1 : 0), pick(segment), pick(segment + 1), pick(segment + 2), t);
    };
    std::vector<ShapePtr> parts;
    for (std::size_t segment = 0; segment + 1 < points.size(); ++segment)
        for (int piece = 0; piece < pieces; ++piece) {
            const double t = static_cast<double>(piece) / pieces, u = static_cast<double>(piece + 1) / pieces;
            parts.push_back(
                limb({at(points, segment, t), at(radii, segment, t), at(points, segment, u), at(radii, segment, u)}));
        }
    return parts;
}

ShapePtr egg(const Vec3d& center, const Vec3d& radii, double pitch) {
    const ShapePtr ellipsoid =
        primitive({-radii, radii}, [radii](const Vec3d& at) { return ellipsoid_distance(at, radii); });
    return place(ellipsoid, {center, {0, 0, 1}, pitch * std::numbers::pi / 180, 1});
}

ShapePtr web(const Vec3d& a, const Vec3d& b, const Vec3d& c, double half_thickness) {
    Bounds bounds;
    for (const Vec3d& corner : {a, b, c}) bounds.add(corner);
    return primitive(bounds.grown(half_thickness),
                     [=](const Vec3d& at) { return triangle_distance(at, a, b, c) - half_thickness; });
}

ShapePtr mirrored(const ShapePtr& half) {
    Bounds bounds = half->bounds();
    bounds.add(Bounds{{bounds.lo.x, bounds.lo.y, -bounds.hi.z}, {bounds.hi.x, bounds.hi.y, -bounds.lo.z}});
    return primitive(bounds, [half](const Vec3d& at) { return half->distance({at.x, at.y, std::abs(at.z)}); });
}

} // namespace loam
