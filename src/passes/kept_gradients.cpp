#include "passes/kept_gradients.h"

#include <algorithm>

namespace loam {

GradientStore::GradientStore(const Kernel& kernel, const SolidKernel* solids) {
    constexpr int samples = 1000;
    double steepest = 0;
    for (int k = 1; k <= samples; ++k) { // kernels that are infinitely steep at 0 are cut off near it
        const double r = kernel.support * k / samples;
        steepest = std::max(steepest, -kernel_slope(kernel, r) * r);
        if (!solids) continue;
        const double t = (solids->support - std::max(r, double(solids->nearest))) * solids->inverse_span, t2 = t * t;
        const double f = t2 * t * (solids->full + solids->extra * t);
        const double falling =
            r < solids->nearest ? 0 : t2 * (3 * solids->full + 4 * solids->extra * t) * solids->inverse_span;
        steepest = std::max(steepest, falling * kernel_value(kernel, r) - f * kernel_slope(kernel, r) * r);
    }
    unit_ = static_cast<float>(steepest / gradient_most);
}

KeptGradients GradientStore::fit(const NeighborList& list) {
    blocks_.resize(list.block_count());
    begins_.resize(list.block_count());
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
        const std::size_t needed = list.block(b).used;
        if (blocks_[b].size < needed) {
            blocks_[b].size = needed + needed / 32;
            blocks_[b].words.reset(new std::uint32_t[blocks_[b].size]);
        }
        begins_[b] = blocks_[b].words.get();
    }
    return view(list);
}

KeptGradients GradientStore::view(const NeighborList& list) const {
    return {.entries = list.entries(), .lists = list.block_begins(), .words = begins_.data(), .unit = unit_};
}

std::size_t GradientStore::memory() const {
    std::size_t bytes = begins_.capacity() * sizeof(begins_[0]);
    for (const Block& block : blocks_) bytes += block.size * sizeof(std::uint32_t);
    return bytes;
}

} // namespace loam
