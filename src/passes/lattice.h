// Going through the points of a lattice, square in 2D and cubic in 3D, that a kernel reaches. For set-up: particles at
// rest stand so, and constants of laws are sums over them.
#pragma once

#include <cmath>

#include "passes/kernel.h"

namespace loam {

inline int lattice_reach(const Kernel& kernel, double spacing) {
    return static_cast<int>(std::ceil(kernel.support / spacing));
}

// visit(a, b, c) for all points around one, and itself, in spacings; c is 0 in 2D.
template <class Visit> void each_lattice_point(const Kernel& kernel, double spacing, const Visit& visit) {
    const int reach = lattice_reach(kernel, spacing), across = kernel.dimensions == 3 ? reach : 0;
    for (int a = -reach; a <= reach; ++a)
        for (int b = -reach; b <= reach; ++b)
            for (int c = -across; c <= across; ++c) visit(a, b, c);
}

// visit(a, b) for the points of one layer, seen from a point above or within it; in 2D it is a line and b is 0.
template <class Visit> void each_layer_point(const Kernel& kernel, double spacing, const Visit& visit) {
    const int reach = lattice_reach(kernel, spacing), across = kernel.dimensions == 3 ? reach : 0;
    for (int a = -reach; a <= reach; ++a)
        for (int b = -across; b <= across; ++b) visit(a, b);
}

} // namespace loam
