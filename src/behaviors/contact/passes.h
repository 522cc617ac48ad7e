// Who may touch whom: the loop over all neighbors of solid particles.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/pair_view.h"

namespace loam {

struct ContactArgs {
    PairView particles;
    const Float4* rest; // see rest_places()
    float reach2;       // squared distance within which particles may touch in this step
    float rest_reach2;  // particles of a body that were nearer at rest do not touch
    std::uint32_t* count;
};
LOAM_DISPATCH(count_contacts, void(const ContactArgs&, Range))

} // namespace loam
