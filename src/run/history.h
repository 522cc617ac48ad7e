// What the log of a run tells over time, as a page of plots.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "cache/log.h"
#include "gauges/gauge.h"
#include "plot/plot.h"

namespace loam {

struct HistoryOptions {
    std::vector<std::string> bodies;                      // whose motion is shown too
    bool each_body = false;                               // that of all
    std::vector<std::string> only_gauges;                 // then nothing else is shown but these, and bodies
    std::map<std::string, std::vector<GaugePart>> gauges; // what those of the scene show, by name
};

struct RunHistory {
    Plot plot;
    std::size_t frames = 0;
    std::vector<std::string> warnings; // such as lines of the log that were left out
};

// Works while the run goes on. An error if there is no run, or no frame in its log.
Result<RunHistory> history_of_run(const std::filesystem::path& folder, HistoryOptions options = {});

// Energies, volume error, time step, iterations, particles and top speed, as far as the log has them; then gauges, and
// bodies that are asked for. Lines without a time are left out.
std::vector<Panel> history_panels(const Log& log, const HistoryOptions& options = {});

} // namespace loam
