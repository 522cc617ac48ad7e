// A law of solids that bear as a whole what pressure pushes at their surface: a stiff body gives way by much less than
// its outermost particles would by themselves, and a pressure solve that takes these for free lets fluid sink in.
#pragma once

#include <span>

#include "base/vec.h"

namespace loam {

struct StepContext;

class Bearer {
public:
    virtual ~Bearer() = default;
    // Before the first step, if the pressure solver asks what is left of its pushes.
    virtual void bear_pushes() = 0;
    // Turns pushes on particles, a change of velocity or place in this step, into what the bodies make of them. Linear
    // and symmetric, and momentum is kept; in each iteration of the pressure solve.
    virtual void bear(StepContext& step, std::span<Float4> push) = 0;
};

} // namespace loam
