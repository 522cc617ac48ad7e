// Sheets and ropes as yarn: threads that are knitted, woven or twisted, of plies, with fibers that stand off.
//
// A knitted row is one thread: with s counting stitches, x = s + a sin(4 pi s) along the row, y = b cos(2 pi s) across
// rows and z = d cos(4 pi s) off the sheet, which is higher at heads and feet of loops than at their legs, so that
// neighboring rows catch each other (y and z as in Choi and Lo 2003, An energy model of plain knitted fabric; a sine in
// x in place of their cubic).
#pragma once

#include "particles/sheet.h"
#include "picture/world.h"
#include "surface/mesh.h"

namespace loam {

struct YarnOptions {
    bool woven = false; // otherwise knitted
    int fuzz = 10;      // fibers per stitch
    Color color{0.7f, 0.7f, 0.7f};
    double shutter = 0; // [s]
    std::uint32_t seed = 0;
};

// Whether a sheet has rows to go along: rectangles and ropes do.
bool has_threads(const BodySheet& body);

// `now`: the sheet in a frame, as sheet_mesh() gives it. Threads end where it is torn. The same for the same seed.
Curves yarn_of(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options);
// Knitwear, of the stitches that it has (courses.h).
Curves knit_of(const SurfaceMesh& now, const BodySheet& body, const YarnOptions& options);

} // namespace loam
