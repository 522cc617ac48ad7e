// How the program ends. Shown by `loam --help`; scripts rely on these numbers.
#pragma once

#include "base/result.h"

namespace loam {

enum ExitCode : int {
    exit_ok = 0,
    exit_unexpected = 1, // a mistake in the program itself
    exit_usage = 2,
    exit_scene = 3,
    exit_file = 4,
    exit_simulation = 5,
    exit_interrupted = 130, // as shells have it for Ctrl-C; 143 for SIGTERM
    exit_terminated = 143,
};

ExitCode exit_code(Fault fault);
const char* name_of(Fault fault);

// Tells the error on stderr and returns the exit code for it.
ExitCode complain(const Error& error);

} // namespace loam
