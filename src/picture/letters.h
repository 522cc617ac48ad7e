// The letters that legends and labels need, drawn by hand: seven rows of five pixels, the left one in the highest bit.
#pragma once

#include <array>
#include <cstdint>

namespace loam {

using Letter = std::array<std::uint8_t, 7>;

Letter letter_of(char c); // blank where there is none

} // namespace loam
