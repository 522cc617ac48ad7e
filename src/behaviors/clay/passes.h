// The sum of clay's law; clay.law.h says what the symbols mean.
#pragma once

#include "base/blocks.h"
#include "base/instruction_set.h"
#include "passes/kernel.h"
#include "passes/pair_view.h"

namespace loam {

struct ClayArgs {
    PairView particles;
    Kernel kernel;
    float inverse_spacing;
    const float* tension; // -p, 0 or more [Pa]; below 0 for what is no clay
    const float* mass;
    Float4* acceleration; // added to
};
LOAM_DISPATCH(clay_forces, void(const ClayArgs&, Range))

} // namespace loam
