// Whether the files of a run are what was written, every byte of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace loam {

struct RunVerification {
    struct Flaw {
        std::string file; // in the folder of the run
        std::string what;
    };
    std::size_t frames = 0, checkpoints = 0; // that are whole
    std::size_t foam = 0;                    // frames that have white water, whole
    std::vector<Flaw> flaws;                 // in the order of files
};

// Looks at scenes, frames, the log and checkpoints, and changes nothing. An error only when there is no run.
Result<RunVerification> verify_run(const std::filesystem::path& folder);

} // namespace loam
