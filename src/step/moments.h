// What tells whether a simulation can go on from a moment of another one whose scene differs in values.
#pragma once

#include <vector>

#include "passes/context.h"

namespace loam {

// Of where bodies begin, and how: later that can no longer be changed. A fluid's mass can, as its density.
std::vector<double> start_mark(const StepContext& step);

} // namespace loam
