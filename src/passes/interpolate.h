// Fields at any point, from particles. For measuring and tests: it visits every particle; passes have lists for that.
//
//   plain        f(x) = sum_j V_j f_j W(x - x_j)
//   normalized   f(x) = sum_j V_j f_j W(x - x_j) / sum_j V_j W(x - x_j)      L 2.7, 3.5 (CNSPH)
//
// Beside a surface the kernel is not full: the plain sum then falls towards 0 there, the normalized one does not, and
// it is exact for constants everywhere.
#pragma once

#include <span>

#include "base/vec.h"
#include "passes/kernel.h"

namespace loam {

struct Sample {
    Vec3d position;
    double volume = 0;
    double value = 0;
};

enum class KernelSum { plain, normalized };

// 0 where no sample is within the kernel's support.
double interpolate(const Kernel& kernel, std::span<const Sample> samples, const Vec3d& at, KernelSum how);

} // namespace loam
