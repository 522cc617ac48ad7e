// Where the yarn of knitwear goes on its sheet: courses are threads that go along it, from stitch to stitch.
//
// A stitch is a cell of bonding points (Bayraktar 2010, fig. 4.2 and eq. 4.7), places in it as (along the course,
// across), those with a prime in the back layer, the others in front:
//
//     t5' (0, 0)   t6' (2/7, 0)   t7 (.357, 1/4)   t8 (1/7, 1)      up into the stitch above,
//     t2' (.214, 4/3)   t3' (.786, 4/3)                             around the feet of its loop,
//     t12 (6/7, 1)   t11 (.643, 1/4)   t10' (5/7, 0)                and down again
//
// In a rectangle courses are along its rows. On any other sheet they are where planes across an axis cut it.
#pragma once

#include <array>
#include <vector>

#include "particles/sheet.h"

namespace loam {

// A place on a sheet, by points of its middle layer around it.
struct SheetSpot {
    std::array<std::uint32_t, 16> points{};
    std::array<float, 16> shares{};
    std::size_t count = 0;
};

struct BondingPoint {
    SheetSpot spot;
    bool front = true;
};

using Course = std::vector<BondingPoint>; // from end to end
constexpr int bonds_of_stitch = 9;

// `body`: with a knitted sheet.
std::vector<Course> courses_of(const BodySheet& body);

} // namespace loam
