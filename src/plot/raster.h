// SVG to PNG, by the program rsvg-convert.
#pragma once

#include <string>

#include "base/result.h"

namespace loam {

// The bytes of a PNG file; `zoom` pixels for each unit of the SVG.
Result<std::string> png_of(const std::string& svg, double zoom);

} // namespace loam
