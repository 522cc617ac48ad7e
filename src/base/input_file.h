// The bytes of a file that a scene names: a mesh, heights.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace loam {

// More than any real mesh; without an end to it, a pipe in place of a file could fill the memory.
constexpr std::size_t largest_input_file = std::size_t{2} << 30;

Result<std::string> read_input_file(const std::string& path, std::size_t limit = largest_input_file);

} // namespace loam
