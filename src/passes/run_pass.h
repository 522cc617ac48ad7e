// A pass over all particles, on the instruction set of the step.
#pragma once

#include "base/parallel.h"
#include "passes/context.h"

namespace loam {

template <class Function, class Args> void run_pass(const StepContext& step, const Function& pass, const Args& args) {
    auto* const function = pass.on(step.scene.isa);
    parallel_ranges(step.particles.size(), [&](Range range) { function(args, range); });
}

} // namespace loam
