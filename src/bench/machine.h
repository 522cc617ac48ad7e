// What the numbers were measured on.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace loam {

std::string processor_name();             // "unknown processor" where the system does not tell
int core_count();                         // that this process may use
std::optional<double> available_memory(); // bytes, where the system tells
double busy_processors();                 // mean number of them over the last minute; 0 where the system does not tell

} // namespace loam
