// The springs of knitwear (Bayraktar 2010, section 4.2): three layers of mass points, each with structural, shear and
// flexion springs of its own, joined by springs that keep their volume.
//
//     front   o---o---o        |   to the point across the gap
//             | x | x |        x   from each point to the neighbors of the one across: layers do not slide
//     middle  o---o---o
//             | x | x |
//     back    o---o---o
//
// Together they are as stiff as one sheet of springs with the same values: a layer has a third of it (C6: k = sum k_i),
// and what slanted springs carry along the sheet, k cos^2 of their slant, is taken off the structural ones.
#pragma once

#include "behaviors/springs/network.h"

namespace loam {

struct Stitches {
    double structural = 0; // along wales [N/m]
    double crosswise = 1;  // along courses: as a multiple of that
    double shear = 0, flexion = 0;
    double volume = 0; // across a gap
    double damping = 0;
    Vec3d axis; // along which wales go on sheets that have no rows
};

// `sheet`: of three layers.
std::vector<Spring> knit_springs(const Sheet& sheet, const Stitches& stitches);

} // namespace loam
