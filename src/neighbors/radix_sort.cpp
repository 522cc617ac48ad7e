#include "neighbors/radix_sort.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace loam {
namespace {

constexpr std::size_t sort_block = 16384;
constexpr int digit_bits_at_most = 11;

} // namespace

void radix_sort(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& spare, int low, int high) {
    if (high <= low || words.size() < 2) return;
    spare.resize(words.size());
    const int passes = (high - low + digit_bits_at_most - 1) / digit_bits_at_most;
    const int bits = (high - low + passes - 1) / passes;
    const std::size_t digits = std::size_t{1} << bits, blocks = block_count(words.size(), sort_block);
    std::vector<std::uint32_t> offsets(blocks * digits); // [block][digit]

    for (int pass = 0; pass < passes; ++pass) {
        const int shift = low + pass * bits;
        const auto digit = [&](std::uint64_t word) { return (word >> shift) & (digits - 1); };

        std::fill(offsets.begin(), offsets.end(), 0);
        parallel_blocks(words.size(), sort_block, [&](Range range, std::size_t block) {
            std::uint32_t* count = offsets.data() + block * digits;
            for (std::size_t i = range.begin; i != range.end; ++i) ++count[digit(words[i])];
        });
        // Where each block's words of each digit go: digits in order, and within a digit blocks in order (stable).
        std::uint32_t next = 0;
        for (std::size_t d = 0; d < digits; ++d)
            for (std::size_t block = 0; block < blocks; ++block)
                next += std::exchange(offsets[block * digits + d], next);
        parallel_blocks(words.size(), sort_block, [&](Range range, std::size_t block) {
            std::uint32_t* to = offsets.data() + block * digits;
            for (std::size_t i = range.begin; i != range.end; ++i) spare[to[digit(words[i])]++] = words[i];
        });
        words.swap(spare);
    }
}

} // namespace loam
