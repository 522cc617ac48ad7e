// Inner forces change neither momentum nor angular momentum. A solve that was ended early, or that approximates, does:
// this takes what it has of them out of a change of velocities again, by a rigid motion. Not where something is held.
#pragma once

#include "behaviors/sheets/motion.h"

namespace loam {

void keep_momentum(const SlotMotion& motion, std::vector<Float4>& change);

} // namespace loam
