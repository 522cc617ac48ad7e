// Smoothing of meshes that keeps their volume.
#pragma once

#include "surface/mesh.h"

namespace loam {

// Taubin 1995: each step moves vertices towards the mean of their neighbors, then a little further back, which removes
// short waves and leaves long ones. What volume each connected piece has lost after all is given back along its
// normals.
void smooth(SurfaceMesh& mesh, int steps);

} // namespace loam
