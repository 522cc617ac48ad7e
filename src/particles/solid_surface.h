// The surface of a solid as others touch it: its shape, and points from which the places where it touches are sought.
//
// A point is a small ball that touches the surface from inside. Below an edge or corner it is a mere place, with the
// way to the tip: looked at from inside, two boxes that lie flush have no ambiguous edges. Where the surface bends,
// points only tell where to begin: from there they slide along it to where the other is nearest. So a ball is round,
// and not a polyhedron of its points.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "particles/shape.h"

namespace loam {

struct TouchPoint {
    Vec3d at;          // center of the ball, in the coordinates of the shape
    double radius = 0; // of the ball; 0 below edges and corners
    Vec3d tip;         // from there to the edge or corner
    double bend = 0;   // radius of curvature where it slides; 0 where the surface does not bend
    double sag = 0;    // how far the surface may stand out before the next point

    bool sharp() const { return radius == 0; }
    double below() const { return sharp() ? length(tip) : radius; } // the surface
};

struct SolidSurface {
    ShapePtr shape; // at rest
    std::vector<TouchPoint> points;

    double reach_from(const Vec3d& center) const;
};

// A shape made of the balls of particles: for solids that no shape describes.
ShapePtr balls(std::span<const Vec3d> centers, double radius);

// The whole shape, or the part of it that lies at the particles of one of several pieces.
ShapePtr piece_of(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles, double spacing);

// `shape` may be null, or describe more than these particles when the solid is one of several pieces of it.
SolidSurface solid_surface(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles,
                           double spacing);

// What another solid looks like from a place: how far its surface is, and along which unit vector that grows.
struct Nearness {
    double distance = 0;
    Vec3d away;
};
using Other = std::function<Nearness(const Vec3d& at)>; // in the coordinates of the sliding point's shape

// Slides a point of a bent surface to where the other solid is nearest. Nothing when it gets to no such place.
std::optional<TouchPoint> slide(const Shape& shape, const TouchPoint& from, const Other& other);

} // namespace loam
