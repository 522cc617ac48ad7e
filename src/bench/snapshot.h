// The state of a simulation in memory, so that the same steps can be taken again, also with other instructions.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "step/simulation.h"

namespace loam {

class Snapshot {
public:
    explicit Snapshot(const Simulation& simulation);

    // Into a simulation of the same scene.
    Status restore_to(Simulation& simulation) const;
    // The columns that are there, into particles that are not of a simulation.
    void copy_to(Columns& particles) const;

private:
    std::size_t count_;
    std::map<std::string, std::vector<std::byte>> columns_; // the saved ones, by name
    std::map<std::string, std::vector<double>> rest_;
};

} // namespace loam
