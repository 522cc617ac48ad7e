// What is known of the terminal behind stderr.
#pragma once

#include <cstddef>

namespace loam {

bool on_a_terminal();
std::size_t terminal_width();
bool speaks_unicode();

} // namespace loam
