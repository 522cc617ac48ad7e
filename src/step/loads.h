// What each of several fixed things bears of the forces that free bodies have taken up.
//
// Fluids: their pressure on it, as pairs push, f = sum_i p_i V_i sum_j V_j grad W_ij, and of sand its stress in the
// same way; what that misses of the exact sum goes to each by how much it bears along that axis. Solids: what no fluid
// has given them goes to what they touch.
#pragma once

#include <span>

#include "passes/context.h"

namespace loam {

// `forces`, by body, are those on free ones; on fixed ones they are set here. Uses the neighbors of this step.
void share_among_fixed(const StepContext& step, std::span<const std::uint8_t> fixed, std::span<Vec3d> forces);

} // namespace loam
