#include "passes/interpolate.h"

namespace loam {

double interpolate(const Kernel& kernel, std::span<const Sample> samples, const Vec3d& at, KernelSum how) {
    double sum = 0, weights = 0;
    for (const Sample& sample : samples) {
        const double r = length(sample.position - at);
        if (r >= kernel.support) continue;
        const double weight = sample.volume * kernel_value(kernel, r);
        sum += weight * sample.value;
        weights += weight;
    }
    if (how == KernelSum::plain) return sum;
    return weights > 0 ? sum / weights : 0;
}

} // namespace loam
