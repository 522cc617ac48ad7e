// What the log of a run tells over time, as a page of plots.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cache/log.h"
#include "plot/plot.h"

namespace loam {

struct RunHistory {
    Plot plot;
    std::size_t frames = 0;
    std::vector<std::string> warnings; // such as lines of the log that were left out
};

// Works while the run goes on. An error if there is no run, or no frame in its log.
Result<RunHistory> history_of_run(const std::filesystem::path& folder);

// Energies, volume error, time step, iterations, particles and top speed, as far as the log has them. Lines without a
// time are left out.
std::vector<Panel> history_panels(const Log& log);

} // namespace loam
