// A stable parallel sort of 64-bit words by their bits [low, high).
#pragma once

#include <cstdint>
#include <vector>

namespace loam {

// The result is in `words`; `spare` is scratch that is kept between calls.
void radix_sort(std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& spare, int low, int high);

} // namespace loam
