// A wave of shear v_x = sin(k y) in a periodic square dies out as exp(-nu k^2 t).
#include <numbers>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

struct Case {
    std::string model;
    int dimensions;
    std::string lattice;
    double tolerance;
};

class ShearWave : public testing::TestWithParam<Case> {};

// Amplitude left after nu k^2 t = 1/2.
double amplitude(const Case& c, double fps = 1000) {
    const int n = c.dimensions == 2 ? 24 : 12;
    const double k = 2 * std::numbers::pi, nu = 0.05, end = 0.5 / (nu * k * k);
    const auto s = start(fmt::format(
        R"({{"dimensions": {0}, "duration": {1}, "fps": {8}, "particle_radius": {2},
            "domain": {{"min": [0, 0, {3}], "max": [1, 1, {4}], "periodic": "{5}"}},
            "solver": {{"pressure": "dfsph", "volume_error": 1e-4}},
            "bodies": {{"oil": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [1, 1, 1]}}}}, "lattice": "{6}",
              "behaviors": {{"fluid": {{"density": 800}}, "viscosity": {{"model": "{7}", "viscosity": 40,
                             "tolerance": 1e-4}}}}}}}}}})",
        c.dimensions, end, 0.5 / n, c.dimensions == 2 ? "null" : "0", c.dimensions == 2 ? "null" : "1",
        c.dimensions == 2 ? "xy" : "xyz", c.lattice, c.model, fps));
    set_velocities(*s, [&](const Vec3d& p) { return Vec3d{0.1 * std::sin(k * p.y), 0, 0}; });
    advance(*s, end);
    const Pool& pool = s->particles();
    return 2 / 0.1 / static_cast<double>(pool.size()) *
           total(*s, [&](std::size_t i) { return pool[pool.velocity][i].x * std::sin(k * pool[pool.position][i].y); });
}

TEST_P(ShearWave, DiesOutAtItsRate) {
    const double a = amplitude(GetParam());
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{} {}D: {} of {}\n", GetParam().model, GetParam().dimensions, a, std::exp(-0.5));
    EXPECT_NEAR(std::log(a), -0.5, 0.5 * GetParam().tolerance);
}

INSTANTIATE_TEST_SUITE_P(All, ShearWave,
                         testing::Values(Case{"morris", 2, "cubic", 0.02}, Case{"muller", 2, "cubic", 0.02},
                                         Case{"implicit", 2, "cubic", 0.02}, Case{"morris", 3, "cubic", 0.03},
                                         Case{"muller", 3, "cubic", 0.03}, Case{"implicit", 3, "cubic", 0.03}),
                         [](const auto& one) { return one.param.model + std::to_string(one.param.dimensions) + "D"; });

// A tenth of it dies out in each step.
TEST(ShearWave, DiesOutAtItsRateInLongSteps) {
    const Case implicit{"implicit", 2, "cubic", 0};
    const double often = amplitude(implicit), seldom = amplitude(implicit, 20);
    if (std::getenv("LOAM_SHOW")) fmt::print("implicit: {} in short steps, {} in long ones\n", often, seldom);
    EXPECT_NEAR(std::log(seldom), std::log(often), 0.5 * 0.01);
}

} // namespace
} // namespace loam::test
