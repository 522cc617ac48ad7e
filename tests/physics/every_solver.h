// What tests of all pressure solvers share: their names and settings.
#pragma once

#include <algorithm>

#include "run_scene.h"

namespace loam::test {

inline std::vector<std::string> solver_names() {
    std::vector<std::string> names;
    for (const auto& type : PressureSolvers::all()) names.push_back(type->declaration.name);
    std::sort(names.begin(), names.end());
    names.insert(names.end(), {"carried", "corrected"}); // density of wcsph, gradients of dfsph
    return names;
}

inline std::string settings(const std::string& solver) {
    if (solver == "carried") return R"("pressure": "wcsph", "wcsph": {"density": "carried"})";
    if (solver == "corrected") return R"("pressure": "dfsph", "dfsph": {"gradients": "corrected"})";
    return fmt::format(R"("pressure": "{}")", solver);
}

// An equation of state pays for a small error with small steps, so it is asked for less.
inline double wanted_error(const std::string& solver) {
    return solver == "wcsph" || solver == "carried" ? 0.01 : 0.0005;
}

// Kinetic, and that of height.
inline double energy_of(const Simulation& s) {
    const Pool& pool = s.particles();
    return kinetic_energy(s) +
           9.81 * total(s, [&](std::size_t i) { return pool[pool.mass][i] * pool[pool.position][i].y; });
}

} // namespace loam::test
