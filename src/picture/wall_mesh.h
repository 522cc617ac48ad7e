// Walls as meshes: the surface of a shape's distance function.
#pragma once

#include "particles/shape.h"
#include "picture/world.h"

namespace loam {

// What of the shape lies in the box, closed where the box cuts it. cell: size of a triangle, about [m].
Triangles mesh_of(const Shape& shape, const Bounds& box, double cell);

// The slice of a 2D shape at z = 0, as a slab behind the particles.
Triangles slab_of(const Shape& shape, const Bounds& box, double cell, double front);

} // namespace loam
