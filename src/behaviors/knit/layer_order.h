// Keeps the layers of a knit in their order. Springs between them are shorter than particles are apart: a hard push
// could turn them over, and turned over they would stay. So, along the normal n of the middle layer at each point,
//
//   (x_upper - x_lower) . n >= a third of the gap at rest
//
// for back and middle, and for middle and front, by equal and opposite impulses that do not bounce.
#pragma once

#include "behaviors/sheets/inertia.h"
#include "behaviors/sheets/layer_mesh.h"

namespace loam {

class LayerOrder {
public:
    // `body`: with a sheet of three layers.
    LayerOrder(const BodySheet& body, Pool& pool);
    void bound(StepContext& step); // the velocities of the motion that is ahead

private:
    Vec3d normal(const StepContext& step, std::size_t point) const; // 0 where there is none

    BodySheet body_;
    LayerMesh mesh_;
    Inertia inertia_;
};

} // namespace loam
