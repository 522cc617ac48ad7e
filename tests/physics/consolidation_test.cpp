// P6: a full column of something soft bears a load. At first water bears it, and hands it over as it gets out (Terzaghi
// 1923).
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

// Settled part of what will be, by T = k M t / (mu H^2).
double settled(double time) {
    double sum = 0;
    for (int m = 0; m < 200; ++m) {
        const double n = (2 * m + 1) * M_PI / 2;
        sum += 2 / (n * n) * std::exp(-n * n * time);
    }
    return 1 - sum;
}

// The load is a cap that alone is heavy, and so dense that the weight of the water in it is nothing beside it.
std::string column_under_load(double young, double permeability) {
    const std::string stuff = fmt::format(
        R"("young_modulus": {}, "poisson_ratio": 0, "integration": "explicit", "damping": 0.001, "friction": 0)",
        young);
    return fmt::format(R"({{"dimensions": 2, "particle_radius": 0.00125, "duration": 2, "fps": 20,
      "bodies": {{
        "soil": {{"shape": {{"box": {{"min": [0, 0], "max": [0.0125, 0.105]}}}}, "saturation": 1,
          "behaviors": {{"elastic": {{{0}, "density": 800}},
                        "porous": {{"porosity": 0.5, "permeability": {1}, "capillary": 1}}}},
          "groups": {{"cap": {{"shape": {{"box": {{"min": [-1, 0.1, -1], "max": [1, 1, 1]}}}},
            "behaviors": {{"gravity": {{"acceleration": [0, -0.3, 0]}}, "elastic": {{{0}, "density": 100000}},
                          "porous": {{"porosity": 0.5, "permeability": {1}, "capillary": 1}}}}}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.0125, 0.2]}}, "invert": true}}, "boundary": {{"slip": "free"}}}}}}}})",
                       stuff, permeability);
}

void expect_consolidation(double young, double permeability) {
    const auto s = start(column_under_load(young, permeability));
    const Pool& pool = s->particles();
    std::vector<std::uint8_t> row(pool.next_id, 0); // by id: 1 the lowest, 2 the highest one below the cap
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double y = pool[pool.position][i].y;
        row[pool[pool.id][i]] = y < 0.0025 ? 1 : y > 0.0975 && y < 0.1 ? 2 : 0;
    }
    const auto height = [&](std::uint8_t which) {
        double sum = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (row[pool[pool.id][i]] == which) sum += pool[pool.position][i].y;
        return sum / 5;
    };
    const double apart = height(2) - height(1);
    const double load = 0.3 * 0.005 * (100000 + 500), last = load * apart / young;
    const double depth = 0.105,
                 pace = permeability * young / 1e-3 / (depth * depth); // water leaves at the top of the cap
    for (const double scaled : {0.1, 0.197, 0.4, 0.848}) {
        advance(*s, scaled / pace);
        EXPECT_NEAR((apart - (height(2) - height(1))) / last / settled(scaled), 1, 0.05) << "at T = " << scaled;
        double pressure = 0;
        const float* const p = column(*s, "pore_pressure");
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (row[pool[pool.id][i]] == 1) pressure += p[i] / 5;
        const double n = M_PI / 2;
        if (scaled > 0.3) {
            EXPECT_NEAR(pressure / load, 2 / n * std::exp(-n * n * scaled), 0.05) << "at the bottom";
        }
    }
}

TEST(Porous, ConsolidatesUnderALoad) { expect_consolidation(1e5, 1e-10); }

} // namespace
} // namespace loam::test
