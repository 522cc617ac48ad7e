// What the scenes of porous flow must show (Lenaerts 2009, figures 6.6 to 6.9), in 2D and small.
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

template <class Counts> double mean_saturation(const Simulation& s, const Counts& counts) {
    const float* const saturation = column(s, "saturation");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < s.particles().size(); ++i)
        if (counts(i)) sum += saturation[i], ++count;
    return count > 0 ? sum / count : 0;
}

Bounds bounds_of(const Simulation& s, std::uint32_t body) {
    const Pool& pool = s.particles();
    Bounds bounds;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == body) bounds.add(pool[pool.position][i]);
    return bounds;
}

// Figure 6.7: the permeable channel is full first, down to its lower end, where suction draws water to the right.
TEST(PorousScenes, WaterFindsTheChannel) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.0025, "duration": 3, "fps": 10,
      "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0.1], "max": [0.1, 0.13]}},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.02}}},
        "block": {"shape": {"box": {"min": [0, 0], "max": [0.1, 0.1]}},
          "behaviors": {"rigid": {"density": 1300, "held": true}, "porous": {"porosity": 0.5, "permeability": 4e-13}},
          "groups": {"channel": {"shape": {"union": [
              {"box": {"min": [0.04, 0.065], "max": [0.06, 0.11]}},
              {"box": {"min": [0.02, 0.065], "max": [0.06, 0.085]}},
              {"box": {"min": [0.02, 0.035], "max": [0.04, 0.085]}},
              {"box": {"min": [0.02, 0.035], "max": [0.08, 0.055]}}]},
            "behaviors": {"porous": {"porosity": 0.5, "permeability": 2e-10}}}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.1, 0.2]}, "invert": true}, "boundary": {}}}})");
    const Pool& pool = s->particles();
    const auto in_channel = [&](std::size_t i) { return pool[pool.body][i] > 1; };
    const auto aside = [&](std::size_t i) { return pool[pool.body][i] == 1 && pool[pool.position][i].y < 0.09; };
    const auto end = [&](std::size_t i) {
        return in_channel(i) && pool[pool.position][i].x > 0.06 && pool[pool.position][i].y < 0.06;
    };
    const auto turn = [&](std::size_t i) { return in_channel(i) && pool[pool.position][i].x < 0.04; };
    double turned = 1e9, arrived = 1e9;
    while (s->time() < 3 && arrived > 1e8) {
        advance(*s, s->time() + 0.1);
        if (turned > 1e8 && mean_saturation(*s, turn) > 0.8) turned = s->time();
        if (mean_saturation(*s, end) > 0.8) arrived = s->time();
    }
    EXPECT_LT(turned, arrived) << "down its left part first";
    EXPECT_LT(arrived, 3) << "then to the right";
    EXPECT_GT(mean_saturation(*s, in_channel), 4 * mean_saturation(*s, aside));
}

// Figure 6.6: a sponge in shallow water.
struct Sponge {
    double water, wider;
};
Sponge soaked(const std::string& pores) {
    const auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.003, "duration": 1, "fps": 10,
      "behaviors": {{"gravity": {{}}}},
      "bodies": {{
        "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.15, 0.02]}}}},
                  "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
        "sponge": {{"shape": {{"box": {{"min": [0.05, 0.021], "max": [0.1, 0.071]}}}},
          "behaviors": {{"elastic": {{"density": 300, "young_modulus": 2e4, "poisson_ratio": 0.2, "damping": 0.01, "friction": 0.6}},
                        "porous": {{"porosity": 0.7, {}}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.15, 0.2]}}, "invert": true}},
                 "boundary": {{"slip": "friction", "friction": 0.6}}}}}}}})",
                                     pores));
    const double before = bounds_of(*s, 1).size().x;
    advance(*s, 1);
    return {kept(*s, "absorbed"), bounds_of(*s, 1).size().x / before};
}

TEST(PorousScenes, SpongesDifferAsTheyMust) {
    const Sponge green = soaked(R"("permeability": 3e-11, "capillary": 15000, "swelling": 0.1)"),
                 red = soaked(R"("permeability": 3e-11, "capillary": 15000, "swelling": 0.3)"),
                 orange = soaked(R"("permeability": 3e-12, "capillary": 15000, "swelling": 0.1)"),
                 blue = soaked(R"("permeability": 3e-11, "capillary": 30000, "swelling": 0.1)");
    EXPECT_GT(green.water, 0.1);
    EXPECT_LT(orange.water, 0.6 * green.water) << "a less permeable one lags";
    EXPECT_GT(red.wider, green.wider + 0.01) << "one that swells more gets larger";
    EXPECT_GT(blue.water, green.water) << "one that sucks harder is ahead";
}

// Figure 6.9: what is pressed out is taken up again when the press opens.
TEST(PorousScenes, SqueezedWaterIsTakenUpAgain) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.0025, "duration": 2, "fps": 20,
      "behaviors": {"gravity": {}},
      "bodies": {
        "sponge": {"shape": {"box": {"min": [0, 0], "max": [0.08, 0.06]}}, "saturation": 0.95,
          "behaviors": {"elastic": {"young_modulus": 20000, "poisson_ratio": 0.1, "density": 300, "damping": 0.01},
                        "porous": {"porosity": 0.7, "permeability": 1e-10}}},
        "water": {"behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.01}}},
        "press": {"shape": {"box": {"min": [-0.02, 0.0625], "max": [0.1, 0.08]}},
          "boundary": {"motion": {"translation": {"keys": [[0, [0, 0, 0]], [0.5, [0, -0.02, 0]], [0.6, [0, -0.02, 0]], [1, [0, 0, 0]]]}}}},
        "tank": {"shape": {"box": {"min": [-0.01, 0], "max": [0.09, 0.2]}, "invert": true},
                 "boundary": {"slip": "friction", "friction": 0.5}}}})");
    advance(*s, 0.6);
    const double out = kept(*s, "free");
    EXPECT_GT(out, 0.3);
    advance(*s, 2);
    EXPECT_LT(kept(*s, "free"), 0.6 * out);
}

// A soaked ball sheds water at a wall.
TEST(PorousScenes, ASoakedBallShedsWaterAtAWall) {
    const auto shed = [](double saturation) {
        const auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.004, "duration": 0.3, "fps": 50,
          "bodies": {{
            "ball": {{"shape": {{"sphere": {{"center": [0, 0], "radius": 0.06}}}}, "velocity": [3, 0], "saturation": {},
              "behaviors": {{"elastic": {{"density": 60, "young_modulus": 4e4, "poisson_ratio": 0.2, "damping": 0.01, "restitution": 0.2}},
                            "porous": {{"porosity": 0.7, "permeability": 1e-8, "capillary": 500}}}}}},
            "water": {{"behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
            "wall": {{"shape": {{"box": {{"min": [0.08, -0.3], "max": [0.12, 0.3]}}}}, "boundary": {{}}}}}}}})",
                                         saturation));
        const double before = kept(*s, "absorbed");
        advance(*s, 0.1);
        EXPECT_NEAR(kept(*s, "sum"), before, 1e-9);
        return kept(*s, "free");
    };
    EXPECT_EQ(shed(0), 0);
    EXPECT_GT(shed(1), 0.5);
}

} // namespace
} // namespace loam::test
