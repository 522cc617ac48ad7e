// A sheet as its particles show it in a frame: the triangles that the scene joined them by.
#pragma once

#include "cache/frame.h"
#include "particles/sheet.h"
#include "surface/mesh.h"

namespace loam {

// Vertices are the sheet's points, with smooth normals and, where the frame has it, `velocity`. Triangles whose
// particles have died are left out, and those that are torn.
SurfaceMesh sheet_mesh(const Frame& frame, const BodySheet& body);

} // namespace loam
