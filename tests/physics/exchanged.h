// What tests of exchanges look at: columns of particles, sums that are kept, messages about bad scenes.
#pragma once

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {

inline const float* column(const Simulation& s, const std::string& name) {
    const Pool& pool = s.particles();
    return reinterpret_cast<const float*>(pool.bytes(pool.find(name)));
}

inline double kept(const Simulation& s, const std::string& name) {
    for (const Account& account : s.accounts())
        for (const auto& [what, value] : account.entries)
            if (what == name) return value;
    throw std::runtime_error("nobody accounts for " + name);
}

// Of the particles, without what came from outside.
inline double own_enthalpy(Simulation& s) { return kept(s, "sum"); }

inline void expect_error(const std::string& scene, const std::vector<std::string>& overrides, const std::string& part) {
    try {
        start(scene, overrides);
        FAIL() << "no error: " << part;
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
}

} // namespace loam::test
