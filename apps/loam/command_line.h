// What can be typed after `loam`.
#pragma once

namespace loam {

// Reads the arguments, calls the command, and returns the exit code.
int command_line(int argc, char** argv);

} // namespace loam
