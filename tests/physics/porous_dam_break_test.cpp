// P7: water of a dam runs through crushed rock (Liu 1999), 2D, whole particles of water in coarse pores.
#include <algorithm>

#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

constexpr std::array places{0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.70, 0.85};
struct Measured {
    double time;
    std::array<double, 8> level;
};
constexpr std::array measured{Measured{0.4, {.187, .187, .206, .181, .093, .055, .024, .024}},
                              Measured{0.8, {.181, .165, .164, .173, .126, .084, .031, .025}},
                              Measured{1.2, {.156, .160, .171, .164, .131, .093, .038, .047}},
                              Measured{2.2, {.141, .138, .136, .138, .118, .092, .065, .070}}};

TEST(Porous, DamBreakThroughRockLong) {
    // With the film of water that lies in the tank and in the rock.
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.0025, "duration": 2.2, "fps": 20,
      "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"union": [{"box": {"min": [0, 0], "max": [0.28, 0.24]}}, {"box": {"min": [0, 0], "max": [0.892, 0.02]}}]},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.001}}},
        "rock": {"shape": {"box": {"min": [0.30, 0], "max": [0.59, 0.37]}},
                 "behaviors": {"rigid": {"held": true, "density": 1330},
                               "porous": {"flow": "through", "porosity": 0.49, "permeability": 2.3e-7, "forchheimer": 545}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.892, 0.6]}, "invert": true}, "boundary": {"slip": "free"}}}})");
    const Pool& pool = s->particles();
    const auto level = [&](double x) {
        std::vector<double> heights;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == 0 && std::abs(pool[pool.position][i].x - x) < 0.012)
                heights.push_back(pool[pool.position][i].y);
        if (heights.size() < 3) return 0.0;
        std::nth_element(heights.begin(), heights.end() - 3, heights.end()); // two may splash
        return *(heights.end() - 3) + 0.0025;
    };
    for (const Measured& m : measured) {
        advance(*s, m.time);
        double sum = 0;
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double off = level(places[k]) - m.level[k];
            sum += std::abs(off);
            if (std::getenv("LOAM_SHOW")) fmt::print("{:5.0f}", 1000 * off);
        }
        if (std::getenv("LOAM_SHOW")) fmt::print("  mm at {} s, mean {:.1f}\n", m.time, 1000 * sum / 8);
        EXPECT_LT(sum / 8, 0.015) << "at " << m.time;
    }
}

} // namespace
} // namespace loam::test
