// Signed distances of simple solids, exact inside and outside.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/vec.h"

namespace loam {

inline double clamp01(double x) { return std::clamp(x, 0.0, 1.0); }
inline Vec3d abs(const Vec3d& a) { return {std::abs(a.x), std::abs(a.y), std::abs(a.z)}; }

// A box about the origin with half size `half`.
inline double box_distance(const Vec3d& at, const Vec3d& half) {
    const Vec3d q = abs(at) - half;
    const double inside = std::min(std::max({q.x, q.y, q.z}), 0.0);
    return length(max(q, Vec3d{})) + inside;
}

inline double segment_distance(const Vec3d& at, const Vec3d& from, const Vec3d& to) {
    const Vec3d pa = at - from, ba = to - from;
    const double along = dot(ba, ba);
    return length(pa - (along > 0 ? clamp01(dot(pa, ba) / along) : 0.0) * ba);
}

// A point in the half plane through an axis: the way along the axis from its start, and the way off the axis.
struct AxialPoint {
    double along, off, length;
};
inline AxialPoint axial(const Vec3d& at, const Vec3d& from, const Vec3d& to) {
    const Vec3d axis = to - from, p = at - from;
    const double l = loam::length(axis);
    const double along = dot(p, axis) / l;
    return {along, loam::length(p - (along / l) * axis), l};
}

// A solid of revolution whose profile is the trapezoid from radius a at the start to radius b at the end.
inline double cone_distance(const Vec3d& at, const Vec3d& from, const Vec3d& to, double a, double b) {
    const AxialPoint p = axial(at, from, to);
    const double x = p.off, y = p.along, h = p.length;
    // The two caps and the slanted side are segments in the half plane; the nearest of them counts.
    const double cap_x = std::max(0.0, x - (y < 0.5 * h ? a : b)), cap_y = std::abs(y - 0.5 * h) - 0.5 * h;
    const double side = clamp01(((x - a) * (b - a) + y * h) / ((b - a) * (b - a) + h * h));
    const double side_x = x - a - side * (b - a), side_y = y - side * h;
    const bool inside = cap_y < 0 && side_x < 0;
    const double d2 = std::min(cap_x * cap_x + cap_y * cap_y, side_x * side_x + side_y * side_y);
    return inside ? -std::sqrt(d2) : std::sqrt(d2);
}

inline double cylinder_distance(const Vec3d& at, const Vec3d& from, const Vec3d& to, double radius) {
    const AxialPoint p = axial(at, from, to);
    const double side = p.off - radius, cap = std::abs(p.along - 0.5 * p.length) - 0.5 * p.length;
    return std::min(std::max(side, cap), 0.0) + std::hypot(std::max(side, 0.0), std::max(cap, 0.0));
}

// The hull of two spheres.
inline double round_cone_distance(const Vec3d& at, const Vec3d& from, const Vec3d& to, double a, double b) {
    const AxialPoint p = axial(at, from, to);
    if (!(p.length > std::abs(a - b))) return a > b ? length(at - from) - a : length(at - to) - b;
    const double sine = (a - b) / p.length, cosine = std::sqrt(1 - sine * sine);
    const double k = p.along * cosine - p.off * sine; // along the tangent line that touches both circles
    if (k < 0) return std::hypot(p.along, p.off) - a;
    if (k > p.length * cosine) return std::hypot(p.along - p.length, p.off) - b;
    return p.off * cosine + p.along * sine - a;
}

// Eberly 2013, "Distance from a point to an ellipse, an ellipsoid": the foot point is r_i^2 y_i / (t + r_i^2) with t
// the largest root of sum (r_i y_i / (t + r_i^2))^2 = 1. The function falls and is convex, so Newton's method from its
// left end converges from one side. The unknown is s = t + r_min^2, which keeps its digits when t is close to -r_min^2.
inline double ellipsoid_distance(const Vec3d& at, const Vec3d& radii) {
    const double least = std::min({radii.x, radii.y, radii.z});
    Vec3d y = abs(at);
    double s = 0;
    Vec3d excess;
    for (std::size_t i = 0; i < 3; ++i) {
        y[i] = std::max(y[i], 1e-9 * radii[i]); // off the planes of symmetry, where the foot point is ambiguous
        excess[i] = (radii[i] - least) * (radii[i] + least);
        s = std::max(s, radii[i] * y[i] - excess[i]);
    }
    for (int step = 0; step < 60; ++step) {
        double value = -1, slope = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double ratio = radii[i] * y[i] / (s + excess[i]);
            value += ratio * ratio;
            slope -= 2 * ratio * ratio / (s + excess[i]);
        }
        const double change = -value / slope;
        s += change;
        if (!(change > 1e-14 * s)) break;
    }
    Vec3d foot;
    for (std::size_t i = 0; i < 3; ++i) foot[i] = radii[i] * radii[i] * y[i] / (s + excess[i]);
    const Vec3d scaled{y.x / radii.x, y.y / radii.y, y.z / radii.z};
    const double d = length(y - foot);
    return dot(scaled, scaled) < 1 ? -d : d;
}

// Polynomial smooth minimum (Quilez): equal to the minimum where the two differ by more than `width`, at most width/4
// below it.
inline double smooth_min(double a, double b, double width) {
    if (width <= 0) return std::min(a, b);
    const double h = std::max(width - std::abs(a - b), 0.0) / width;
    return std::min(a, b) - 0.25 * h * h * width;
}
inline double smooth_max(double a, double b, double width) { return -smooth_min(-a, -b, width); }

// A vector at right angles to a unit vector.
inline Vec3d any_perpendicular(const Vec3d& n) {
    return normalized(std::abs(n.x) < 0.7 ? cross(n, Vec3d{1, 0, 0}) : cross(n, Vec3d{0, 1, 0}));
}

} // namespace loam
