// The solver of "dfsph": {"gradients": "corrected"}.
#pragma once

#include "pressure/solver.h"

namespace loam {

std::unique_ptr<PressureSolver> make_corrected(const PressureSetup& setup);

} // namespace loam
