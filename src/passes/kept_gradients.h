// The gradient of W for each pair of particles, kept while a solver iterates. An iteration then reads 8 bytes per pair
// in a row, instead of looking up two places and evaluating the kernel: more than twice as fast.
//
// A gradient is one word: x and y in 11 bits, z in 10, in whole multiples of `unit` (2 unit for z). Both of a pair
// round alike, so pushes stay equal and opposite and the equations symmetric; directions are exact to about 0.05 %.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "neighbors/list.h"
#include "passes/kernel.h"

namespace loam {

inline constexpr int gradient_bits = 11, gradient_most = (1 << (gradient_bits - 1)) - 1;

// Plain pointers for inner loops.
struct KeptGradients {
    const NeighborList::Entry* entries;
    const std::uint32_t* const* lists; // by block
    std::uint32_t* const* words;       // beside the lists' entries
    float unit;
};

class GradientStore {
public:
    // The steepest gradient takes all bits. `solids`: null when there are none.
    GradientStore(const Kernel& kernel, const SolidKernel* solids);
    // Room for the pairs of this list; what was kept is lost.
    KeptGradients fit(const NeighborList& list);
    KeptGradients view(const NeighborList& list) const;
    std::size_t memory() const;

private:
    struct Block {
        std::unique_ptr<std::uint32_t[]> words;
        std::size_t size = 0;
    };
    std::vector<Block> blocks_;
    std::vector<std::uint32_t*> begins_;
    float unit_;
};

} // namespace loam
