// What the particles of a rigid body owe to its shape, however coarse their lattice.
#pragma once

#include <optional>
#include <span>

#include "behaviors/rigid/body.h"
#include "particles/shape.h"
#include "passes/context.h"

namespace loam {

// Steps of the lattice on a round surface would hold back what flows past as if the body were half a spacing larger:
// the outermost particles go to where those of a flat face are, half a spacing below the surface.
void smooth_surface(StepContext& step, const Shape& shape, std::span<const std::uint32_t> own);

// Gives the particles the volume, mass and center of the shape, and returns the inertia of a body of that shape and of
// their density. Nothing where they are not all of it: a group has taken some.
std::optional<Matrix3> fit_to_shape(StepContext& step, const Shape& shape, std::span<const std::uint32_t> own);

} // namespace loam
