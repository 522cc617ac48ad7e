// A sheet as its particles show it in a frame: the triangles that the scene joined them by.
#pragma once

#include "cache/frame.h"
#include "particles/sheet.h"
#include "surface/mesh.h"

namespace loam {

struct SheetChoice {
    std::uint32_t first_id = 0; // of the sheet's first point; the others follow
    double torn = 3;            // a triangle with an edge this many times as long as at rest is torn, and left out
};

// Vertices are the sheet's points, with smooth normals and, where the frame has it, `velocity`. Triangles whose
// particles have died are left out.
SurfaceMesh sheet_mesh(const Frame& frame, const Sheet& sheet, const SheetChoice& choice);

} // namespace loam
