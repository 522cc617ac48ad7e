// What of a rigid body touches others: points near its surface, as small spheres, against the distance to the other's
// shape. Flat faces stay flat; nothing is bumpy but the edges, which are round by the size of a particle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/shape.h"

namespace loam {

struct SurfaceSphere {
    Vec3d arm; // from the center of mass, at rest
    double radius = 0;
};

struct ContactGeometry {
    ShapePtr shape;                    // at rest
    std::vector<SurfaceSphere> points; // spheres that touch the shape's surface from inside
};

// A shape made of the balls of particles: for bodies that no shape describes.
ShapePtr balls(std::span<const Vec3d> centers, double radius);

// The whole shape, or the part of it that lies at the particles of one of several pieces.
ShapePtr piece_of(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles, double spacing);

// `shape` may be null, or describe more than these particles when the body is one of several pieces of it.
ContactGeometry contact_geometry(const ShapePtr& shape, bool one_of_several, std::span<const Vec3d> particles,
                                 const Vec3d& center, double spacing);

} // namespace loam
