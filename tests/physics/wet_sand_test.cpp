// Sand that takes up water: loose when dry, stands when moist, mud when full (Lenaerts 2009, 6.6.2 and figure 6.12).
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

// A column in a tank, with a wave behind a gate that opens at 0.4 s.
std::string column_in_tank(double saturation) {
    return fmt::format(R"({{"dimensions": 2, "particle_radius": 0.002, "duration": 2, "fps": 25,
      "behaviors": {{"gravity": {{}}}},
      "bodies": {{
        "column": {{"shape": {{"box": {{"min": [0.1, 0], "max": [0.14, 0.08]}}}}, "saturation": {},
          "behaviors": {{
            "sand": {{"friction": {{"over": "saturation", "keys": [[0.4, 0.65], [1, 0.02]]}},
                      "cohesion": {{"over": "saturation", "keys": [[0, 0], [0.4, 900], [1, 0]]}}}},
            "viscosity": {{"viscosity": {{"over": "saturation", "keys": [[0.4, 0], [1, 2]]}}}},
            "porous": {{"porosity": 0.4, "permeability": 2e-10, "capillary": 1500}}}}}},
        "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.04, 0.1]}}}},
                   "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
        "gate": {{"shape": {{"box": {{"min": [0.042, 0], "max": [0.046, 0.15]}}}},
          "boundary": {{"motion": {{"translation": {{"keys": [[0.4, [0, 0, 0]], [0.5, [0, 0.2, 0]]]}}}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.24, 0.3]}}, "invert": true}}, "boundary": {{"slip": "no"}}}}}}}})",
                       saturation);
}

double top(const Simulation& s) {
    const Pool& pool = s.particles();
    double highest = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 0) highest = std::max(highest, pool[pool.position][i].y);
    return highest;
}

double mean_saturation(const Simulation& s) {
    const Pool& pool = s.particles();
    const float* const saturation = column(s, "saturation");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 0) sum += saturation[i], ++count;
    return sum / count;
}

TEST(WetSand, AMoistColumnStandsUntilTheWave) {
    const auto dry = start(column_in_tank(0)), moist = start(column_in_tank(0.4));
    const double water = kept(*moist, "sum");
    advance(*dry, 0.4), advance(*moist, 0.4);
    EXPECT_LT(top(*dry), 0.06);
    EXPECT_GT(top(*moist), 0.076);
    EXPECT_NEAR(mean_saturation(*moist), 0.4, 1e-3);
    advance(*moist, 1.6);
    EXPECT_LT(top(*moist), 0.05) << "the wave has taken it";
    EXPECT_GT(mean_saturation(*moist), 0.9) << "and it is mud";
    EXPECT_NEAR(kept(*moist, "sum") / water, 1, 1e-12);
}

// A drop on dry sand at rest is taken up; much water stands on it.
TEST(WetSand, HoldsTheFirstDropsThenAPuddleForms) {
    const auto wet = [](double depth) {
        const auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.0025, "duration": 2, "fps": 10,
          "behaviors": {{"gravity": {{}}}},
          "bodies": {{
            "soil": {{"shape": {{"box": {{"min": [0, 0], "max": [0.1, 0.03]}}}},
              "behaviors": {{"sand": {{"friction": 0.6}}, "porous": {{"porosity": 0.4, "permeability": 1e-9, "capillary": 1500}}}}}},
            "rain": {{"shape": {{"box": {{"min": [0, 0.031], "max": [0.1, {}]}}}},
                      "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
            "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.1, 0.2]}}, "invert": true}}, "boundary": {{"slip": "no"}}}}}}}})",
                                         0.031 + depth));
        advance(*s, 2);
        return std::pair{kept(*s, "free"), kept(*s, "absorbed")};
    };
    const auto [none, few] = wet(0.0055);
    EXPECT_LT(none, 0.02 * few);
    const auto [puddle, full] = wet(0.03);
    EXPECT_NEAR(full, 1000 * 0.4 * 0.1 * 0.03, 0.04);
    EXPECT_NEAR(puddle, 1000 * 0.1 * 0.03 - full, 1e-3);
}

TEST(WetSand, EmittedSandTakesUpWaterToo) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.005, "duration": 1, "fps": 10,
      "behaviors": {"gravity": {}},
      "bodies": {
        "sand": {"behaviors": {"sand": {}, "porous": {"porosity": 0.4, "permeability": 1e-9, "capillary": 1500}},
          "emitters": {"spout": {"shape": {"box": {"min": [0.1, 0.3], "max": [0.15, 0.31]}}, "direction": [0, -1], "speed": 0.5}}},
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.25, 0.05]}},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.02}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.25, 0.4]}, "invert": true}, "boundary": {}}}})");
    const double before = kept(*s, "sum");
    advance(*s, 0.6);
    EXPECT_GT(kept(*s, "absorbed"), 0.5);
    EXPECT_NEAR(kept(*s, "sum") / before, 1, 1e-6);
}

} // namespace
} // namespace loam::test
