// From a field to the mesh of its zero surface; march_table.h says how a cube is crossed.
#pragma once

#include "surface/mesh.h"
#include "surface/sparse_field.h"

namespace loam {

// Vertices (one per edge of the lattice that the surface crosses) and triangles, in the order of the field's blocks.
// Where missing_blocks(field) is empty the mesh is closed and manifold.
SurfaceMesh march(const SparseField& field);

} // namespace loam
