// Containers as pictures show them: thin panes of glass without a lid, and where they are boxes, the edges of the
// glass.
#pragma once

#include "particles/shape.h"
#include "picture/world.h"

namespace loam {

struct Tank {
    Triangles panes;
    Curves edges;
};

struct TankOptions {
    double top = 1e300; // the glass ends here, if not before [m]
    double gap = 0;     // between the wall, which fluids touch, and the glass [m]
};

Tank tank_of(const Shape& container, const TankOptions& options);

Material glass_material();
Material glass_edge_material();

// The inside of a container that is an upright box; nothing for other shapes.
std::optional<Bounds> box_inside_of(const Shape& container);

} // namespace loam
