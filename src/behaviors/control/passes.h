// Sums over control particles and over those that they lead.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/pair_view.h"

namespace loam {

// How much of what it leads is around a control particle: sum of V w.
struct CoverArgs {
    PairView led{}; // of control particles
    float reach = 0;
    float* covered = nullptr;
};
LOAM_DISPATCH(find_cover, void(const CoverArgs&, Range))

// What control particles do to one that they lead.
struct LeadArgs {
    PairView leaders{}; // of those that are led; volumes are shares
    float reach = 0;
    const float* need = nullptr;      // alpha, by control particle
    const Float4* velocity = nullptr; // by control particle
    Float4* pull = nullptr;           // sum of alpha w e
    Float4* along = nullptr;          // sum of w u; w: sum of w
};
LOAM_DISPATCH(find_lead, void(const LeadArgs&, Range))

} // namespace loam
