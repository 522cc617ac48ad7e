// F7: SPHERIC test 2, the MARIN dam break onto a box, against the measured water heights. x along the tank, y up.
#include <array>

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// distance from the reservoir's back wall
constexpr std::array<double, 4> gauges{1.732, 2.228, 2.724, 0.582};
// time, heights at the gauges (20 ms means)
constexpr std::array<std::array<double, 5>, 10> measured{{{0.4, 0.099, 0.046, 0.001, 0.459},
                                                          {0.6, 0.115, 0.120, 0.001, 0.395},
                                                          {0.8, 0.136, 0.147, 0.002, 0.332},
                                                          {1.0, 0.155, 0.179, 0.145, 0.279},
                                                          {1.5, 0.144, 0.238, 0.343, 0.182},
                                                          {2.0, 0.142, 0.286, 0.288, 0.130},
                                                          {2.5, 0.270, 0.281, 0.324, 0.104},
                                                          {3.0, 0.238, 0.203, 0.229, 0.202},
                                                          {4.0, 0.174, 0.136, 0.162, 0.331},
                                                          {5.0, 0.205, 0.251, 0.170, 0.233}}};
constexpr std::array<double, 3> arrivals{0.218, 0.368, 0.920}; // of 2 cm of water, at the first three gauges

std::string tank(double spacing, const std::string& solver) {
    return fmt::format(
        R"({{"duration": 6, "fps": 50, "particle_radius": {0}, "solver": {{{1}}}, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [1.228, 0.55, 1]}}}},
                         "behaviors": {{"fluid": {{"density": 1000}}, "viscosity": {{"model": "xsph", "rate": 1}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [3.22, 1, 1]}}, "invert": true}}, "boundary": {{}}}},
              "box": {{"shape": {{"box": {{"min": [2.3955, 0, 0.2985], "max": [2.5565, 0.161, 0.7015]}}}},
                      "boundary": {{}}}}}}}})",
        spacing / 2, solver);
}

// Volume of water over an area around the gauge, per area: foam and bubbles do not count as height.
double height(const Simulation& s, double gauge) {
    const Pool& pool = s.particles();
    const double spacing = s.context().spacing, along = 2 * spacing, across = 0.3;
    double volume = 0;
    for (const Vec3d& x : pool[pool.position])
        if (std::abs(x.x - gauge) < 0.5 * along && std::abs(x.z - 0.5) < 0.5 * across) volume += std::pow(spacing, 3);
    return volume / (along * across);
}

struct Deviation {
    double heights, largest, arrival; // mean and largest absolute [m], largest [s]
};

Deviation flood(double spacing, const std::string& solver, double end) {
    const auto s = start(tank(spacing, solver));
    const double frame = 0.01;
    std::array<double, 3> arrived{9, 9, 9};
    Deviation d{};
    std::size_t row = 0, compared = 0;
    for (int k = 1; k * frame <= end + 1e-9; ++k) {
        advance(*s, k * frame);
        for (std::size_t g = 0; g < 3; ++g)
            if (arrived[g] > 8 && height(*s, gauges[g]) > 0.02) arrived[g] = s->time();
        if (row == measured.size() || s->time() < measured[row][0] - 1e-9) continue;
        std::array<double, 4> ours{};
        for (std::size_t g = 0; g < 4; ++g) {
            ours[g] = height(*s, gauges[g]);
            const double error = std::abs(ours[g] - measured[row][g + 1]);
            d.heights += error, ++compared;
            d.largest = std::max(d.largest, error);
        }
        if (std::getenv("LOAM_SHOW"))
            fmt::print("marin {} ours {:.3f} of {}\n", measured[row][0], fmt::join(ours, " "),
                       fmt::join(measured[row].begin() + 1, measured[row].end(), " "));
        ++row;
    }
    d.heights /= static_cast<double>(compared);
    for (std::size_t g = 0; g < 3; ++g) d.arrival = std::max(d.arrival, std::abs(arrived[g] - arrivals[g]));
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{} dx {}: heights {:.3f} m mean, {:.3f} m largest; arrivals {:.3f}; steps {}\n", solver, spacing,
                   d.heights, d.largest, fmt::join(arrived, " "), s->steps());
    return d;
}

TEST(MarinLong, WaterHeightsCoarse) {
    const Deviation d = flood(0.05, R"("pressure": "dfsph")", 2);
    EXPECT_LT(d.heights, 0.03);
    EXPECT_LT(d.arrival, 0.06);
}

TEST(MarinLong, WaterHeights) {
    const Deviation d = flood(0.02, R"("pressure": "dfsph")", 5);
    EXPECT_LT(d.heights, 0.03);
    EXPECT_LT(d.arrival, 0.03 + 0.005); // half of the time between looks
}

} // namespace
} // namespace loam::test
