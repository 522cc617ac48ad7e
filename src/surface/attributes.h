// Values of particles carried to the vertices of their surface.
#pragma once

#include "surface/cloud.h"
#include "surface/mesh.h"

namespace loam {

// Every column of the particles becomes one of the mesh: at a vertex the mean of near particles, weighted by
// (1 - q^2)^3 within two spacings. `body` is that of the nearest particle.
void carry_columns(const Cloud& cloud, SurfaceMesh& mesh);

} // namespace loam
