// Figures of our own, built from distance functions. Sizes are relative: a figure stands on y = 0 about the origin,
// looks along +x, and is about 1 long; its place and size in the scene are given by the kind `figure`.
#pragma once

#include <cstdint>
#include <vector>

#include "particles/shape.h"

namespace loam {

ShapePtr duck_figure();
ShapePtr dragon_figure();
ShapePtr bunny_figure();

// Tiered bowls on a column, about y; `thickness` of their walls.
ShapePtr fountain_figure(double thickness);

// Rounded rocks of about the given size that lie on each other on the floor of a box.
struct RockPile {
    Bounds region;
    double size = 0.2; // diameter
    double variation = 0.4;
    int most = 100;
    std::uint64_t seed = 1;
};
ShapePtr rock_pile(const RockPile& pile);

// Parts that figures are made of.
struct Limb { // the hull of two balls
    Vec3d from;
    double radius_from = 0;
    Vec3d to;
    double radius_to = 0;
};
ShapePtr limb(const Limb& limb);
// Balls along a curve, joined: necks and tails. `points` are passed through smoothly, radii change along.
std::vector<ShapePtr> tube(const std::vector<Vec3d>& points, const std::vector<double>& radii, int pieces);
ShapePtr egg(const Vec3d& center, const Vec3d& radii, double pitch = 0); // turned about z by degrees
// A flat fan between three corners, of the given half thickness.
ShapePtr web(const Vec3d& a, const Vec3d& b, const Vec3d& c, double half_thickness);
// Both sides of a figure that is symmetric about z = 0, from the half with z >= 0.
ShapePtr mirrored(const ShapePtr& half);

} // namespace loam
