// Numbers for people.
#pragma once

#include <cstddef>
#include <string>

#include "base/vec.h"

namespace loam {

std::string grouped(std::size_t count);    // 12,345
std::string rounded(double value);         // four digits: 1.235e+06, 0.01234
std::string short_count(double count);     // three digits: 950, 12.3k, 1.23M
std::string byte_text(double bytes);       // 12.3 MB
std::string duration_text(double seconds); // 42 s, 3:05, 1:02:03
std::string percent_text(double fraction); // 0.012 %
std::string vector_text(const Vec3d& v);   // [0, 1, 0]

} // namespace loam
