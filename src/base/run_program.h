// Another program as a function: bytes in, bytes out.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace loam {

struct ProgramOutput {
    int code = 0; // what it ended with; 128 + signal when it was killed, 127 when it is not there
    std::string output, messages;
};

// Starts words[0], found as shells find it, and waits for its end.
Result<ProgramOutput> run_program(const std::vector<std::string>& words, const std::string& input);

} // namespace loam
