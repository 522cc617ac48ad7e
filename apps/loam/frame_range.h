// Ranges of frames as they are typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace loam {

// A-B, A-, -B or A.
Status read_frame_range(const std::string& text, std::optional<std::uint64_t>& first,
                        std::optional<std::uint64_t>& last);

} // namespace loam
