// Two fluids in pores: what water holds goes in, through and out with it, stays where it dries, and is held back by
// filters.
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

double amount(const Simulation& s, const std::string& name, std::uint32_t body) {
    const Pool& pool = s.particles();
    const auto* const all = reinterpret_cast<const double*>(pool.bytes(pool.find(name)));
    double sum = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == body) sum += all[i];
    return sum;
}

double mass(const Simulation& s) {
    return total(s, [&](std::size_t i) { return s.particles()[s.particles().mass][i]; });
}

// A soaked sponge is pressed in clear water, and let go.
std::string soap(const std::string& solute, double permeability) {
    return fmt::format(R"({{"dimensions": 2, "particle_radius": 0.0025, "duration": 2, "fps": 20,
      "solutes": {{"soap": {{{}}}}},
      "behaviors": {{"gravity": {{}}}},
      "bodies": {{
        "sponge": {{"shape": {{"box": {{"min": [0, 0], "max": [0.08, 0.06]}}}}, "saturation": 0.95, "concentration": {{"soap": 0.57}},
          "behaviors": {{"elastic": {{"young_modulus": 20000, "poisson_ratio": 0.1, "density": 300, "damping": 0.01}},
                        "porous": {{"porosity": 0.7, "permeability": {}}}}}}},
        "water": {{"shape": {{"box": {{"min": [0.085, 0], "max": [0.14, 0.02]}}}},
                   "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.01}}, "miscible": {{"dispersion": 1e-5}}}}}},
        "press": {{"shape": {{"box": {{"min": [-0.02, 0.0625], "max": [0.1, 0.08]}}}},
          "boundary": {{"motion": {{"translation": {{"keys": [[0, [0, 0, 0]], [0.5, [0, -0.02, 0]], [0.6, [0, -0.02, 0]], [1, [0, 0, 0]]]}}}}}}}},
        "tank": {{"shape": {{"box": {{"min": [-0.01, 0], "max": [0.14, 0.2]}}, "invert": true}},
                 "boundary": {{"slip": "friction", "friction": 0.5}}}}}}}})",
                       solute, permeability);
}

TEST(PorousSolutes, SoapGoesWithTheWaterAndIsThinnedByWhatComesBack) {
    const auto s = start(soap(R"("density": 1100)", 1e-10));
    const double all = kept(*s, "soap"), water = kept(*s, "absorbed"), heavy = mass(*s);
    EXPECT_NEAR(amount(*s, "amount_soap", 0) * 1000 / water, 0.6, 1e-6) << "0.57 of full pores are 0.6 of 0.95 of them";
    EXPECT_NEAR(heavy, 0.08 * 0.06 * 300 + kept(*s, "sum") + 100 * all, 1e-4 * heavy) << "it weighs what it is";
    advance(*s, 0.6);
    const double gone = 1 - kept(*s, "absorbed") / water, soap_gone = 1 - amount(*s, "amount_soap", 0) / all;
    EXPECT_GT(gone, 0.1);
    EXPECT_NEAR(soap_gone / gone, 1, 0.25) << "out it comes as strong as it was";
    EXPECT_GT(amount(*s, "amount_soap", 1), 0.1 * all * gone);
    advance(*s, 2);
    EXPECT_NEAR(kept(*s, "soap") / all, 1, 1e-9);
    EXPECT_NEAR(mass(*s) / heavy, 1, 1e-5);
    const double strength = amount(*s, "amount_soap", 0) * 1000 / kept(*s, "absorbed");
    EXPECT_LT(strength, 0.595) << "what it has drunk since was thinner";
}

// Dirty water falls through coarse gravel onto sand, and drips out below: of what goes through a depth, exp(-f d)
// passes.
TEST(PorousSolutes, AFilterHoldsBackAsMuchAsItsDepthSays) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.001, "duration": 1.5, "fps": 20,
      "solutes": {"mud": {}},
      "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0.1], "max": [0.02, 0.2]}}, "concentration": {"mud": 0.2},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.01}, "miscible": {"dispersion": 0}}},
        "sand": {"shape": {"box": {"min": [0, 0.06], "max": [0.02, 0.1]}},
                 "behaviors": {"rigid": {"held": true, "density": 500},
                               "porous": {"porosity": 0.4, "permeability": 2e-9, "capillary": 300, "filter": 30}}},
        "tank": {"shape": {"box": {"min": [0, -0.1], "max": [0.02, 0.3]}, "invert": true}, "boundary": {}}}})");
    const double all = kept(*s, "mud"), held = 0.2 * 0.02 * 0.1;
    EXPECT_NEAR(all, held, 0.01 * held);
    advance(*s, 1.5);
    const Pool& pool = s->particles();
    const float* const concentration = column(*s, "concentration_mud");
    double through = 0, mud = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 0 && pool[pool.position][i].y < 0.05)
            through += pool[pool.volume][i], mud += pool[pool.volume][i] * concentration[i];
    EXPECT_GT(through, 2e-4);
    EXPECT_NEAR(mud / through / (0.2 * std::exp(-30 * 0.04)), 1, 0.2);
    double sum = 0;
    for (const Account& account : s->accounts())
        if (account.name == "solutes" || account.name == "held_back") sum += account.entries.front().second;
    EXPECT_NEAR(sum / all, 1, 1e-9);
}

TEST(PorousSolutes, GravelThatWaterRunsThroughFiltersToo) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.0025, "duration": 3, "fps": 20,
      "solutes": {"mud": {"density": 1500}},
      "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0.2], "max": [0.04, 0.3]}}, "concentration": {"mud": 0.2},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.01}, "miscible": {"dispersion": 0}}},
        "gravel": {"shape": {"box": {"min": [0, 0.1], "max": [0.04, 0.2]}},
                   "behaviors": {"rigid": {"held": true, "density": 2600},
                                 "porous": {"flow": "through", "porosity": 0.5, "permeability": 1e-8, "forchheimer": 500, "filter": 10}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.04, 0.4]}, "invert": true}, "boundary": {"slip": "free"}}}})");
    const double all = kept(*s, "mud"), heavy = mass(*s);
    advance(*s, 3);
    const Pool& pool = s->particles();
    const float* const concentration = column(*s, "concentration_mud");
    double n = 0, mud = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 0 && pool[pool.position][i].y < 0.06) ++n, mud += concentration[i];
    EXPECT_GT(n, 20);
    EXPECT_NEAR(mud / n / (0.2 * std::exp(-10 * 0.1)), 1, 0.2);
    double sum = 0;
    for (const Account& account : s->accounts())
        if (account.name == "solutes" || account.name == "held_back") sum += account.entries.front().second;
    EXPECT_NEAR(sum / all, 1, 1e-9);
    EXPECT_NEAR(mass(*s) / heavy, 1, 1e-5);
}

// A stain: water goes, what it held stays.
TEST(PorousSolutes, WhatDriesLeavesWhatItHeld) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.005, "duration": 3, "fps": 10,
      "solutes": {"dye": {}},
      "bodies": {
        "cloth": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.01]}}, "saturation": 0.5, "concentration": {"dye": 0.1},
                  "behaviors": {"rigid": {"held": true}, "porous": {"drying": 2, "permeability": 1e-9}}},
        "water": {"behaviors": {"fluid": {}, "miscible": {}}}}})");
    const double all = amount(*s, "amount_dye", 0);
    advance(*s, 3);
    EXPECT_NEAR(amount(*s, "amount_dye", 0), all, 1e-12 * all);
    EXPECT_NEAR(kept(*s, "absorbed") / 1000, all, 0.02 * all) << "nothing else is left";
    EXPECT_NEAR(kept(*s, "dried"), 1000 * (0.5 * 0.5 * 0.002 - all), 1e-3);
}

} // namespace
} // namespace loam::test
