// Heights from a file: a grayscale PGM picture (black 0, white 1), or lines of numbers [any unit].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace loam {

struct Heights {
    int columns = 0, rows = 0; // along x, along z
    std::vector<float> values;

    float at(int column, int row) const { return values[static_cast<std::size_t>(row) * columns + column]; }
};

Result<Heights> read_heights(const std::string& path);
Result<Heights> parse_heights(std::string_view bytes, const std::string& name);

} // namespace loam
