// The part of a shape within a box, as cells: whole ones inside, and ones halved again and again where the surface
// passes. Sums over them are volumes, centers and moments.
#pragma once

#include <algorithm>

#include "particles/shape.h"

namespace loam {

struct CellBox {
    Vec3d center, size;
    double volume(bool flat) const { return size.x * size.y * (flat ? 1 : size.z); }
};

// Calls visit(cell, volume), where the volume is the shape's share of the cell. Cells at the surface are halved
// `levels` times; the smallest count as if a flat face went through them.
template <class Visit>
void each_cell(const Shape& shape, const CellBox& cell, int levels, bool flat, const Visit& visit) {
    constexpr double not_quite_exact = 1.1; // some shapes know their distances roughly
    const Vec3d& size = cell.size;
    const double d = shape.distance(cell.center);
    const double reach = 0.5 * not_quite_exact * length(flat ? Vec3d{size.x, size.y, 0} : size);
    if (d >= reach) return;
    if (d <= -reach) return visit(cell, cell.volume(flat));
    if (levels == 0) {
        const double across = flat ? std::min(size.x, size.y) : std::min({size.x, size.y, size.z});
        const double share = std::clamp(0.5 - d / across, 0.0, 1.0);
        if (share > 0) visit(cell, share * cell.volume(flat));
        return;
    }
    const Vec3d half = 0.5 * size;
    for (int corner = 0; corner < (flat ? 4 : 8); ++corner) {
        const Vec3d to{corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, flat ? 0 : corner & 4 ? 0.5 : -0.5};
        each_cell(shape, {cell.center + Vec3d{to.x * half.x, to.y * half.y, to.z * half.z}, half}, levels - 1, flat,
                  visit);
    }
}

} // namespace loam
