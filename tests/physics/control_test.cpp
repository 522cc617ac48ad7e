// Control particles lead a fluid: it gathers where they are and moves along, and they are not in its way.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// A blob in free space beside a guide that moves off.
std::string led(const std::string& control) {
    return R"({"dimensions": 2, "particle_radius": 0.02, "duration": 3, "fps": 20,
      "bodies": {
        "guide": {"shape": {"sphere": {"radius": 0.3}}, "boundary": {"method": "none", "motion": {"translation": {"interpolation": "smooth", "keys": [[0, [0, 0]], [2, [2, 0]]]}}}},
        "blob": {"shape": {"box": {"min": [-0.24, -0.24], "max": [0.24, 0.24]}},
                 "behaviors": {"fluid": {}, "control": )" +
           control + "}}}}";
}

Vec3d middle(const Simulation& simulation) {
    const Pool& pool = simulation.particles();
    Vec3d sum;
    for (const Vec3d& p : pool[pool.position]) sum += p;
    return sum / static_cast<double>(pool.size());
}

TEST(Control, TakesAFluidAlong) {
    auto simulation = start(led(R"({"by": "guide"})"));
    advance(*simulation, 3);
    EXPECT_NEAR(middle(*simulation).x, 2, 0.1);
}

TEST(Control, WithoutWeightNothingHappens) {
    auto simulation = start(led(R"({"by": "guide", "weight": 0})"));
    advance(*simulation, 1);
    EXPECT_NEAR(middle(*simulation).x, 0, 1e-3);
}

TEST(Control, TheFluidTakesTheGuidesShape) {
    auto simulation = start(led(R"({"by": "guide", "attraction": 30, "rate": 10})"));
    advance(*simulation, 3);
    const Pool& pool = simulation->particles();
    std::size_t inside = 0;
    for (const Vec3d& p : pool[pool.position]) inside += length(p - Vec3d{2, 0, 0}) < 0.36;
    EXPECT_GT(static_cast<double>(inside) / static_cast<double>(pool.size()), 0.95);
}

// The particles of a simulated cloth lead, wherever it goes, and let the fluid through.
TEST(Control, FollowsACloth) {
    auto simulation = start(R"({"particle_radius": 0.02, "duration": 3, "fps": 20,
      "bodies": {
        "cloth": {"shape": {"sheet": {"corner": [-0.2, 0, -0.2], "u": [0.4, 0, 0], "v": [0, 0, 0.4]}},
                  "pins": {"edge": {"shape": {"box": {"min": [0.18, -1, -1], "max": [1, 1, 1]}},
                      "motion": {"translation": {"interpolation": "smooth", "keys": [[0, [0, 0, 0]], [1.5, [1, 0, 0]]]}}}},
                  "behaviors": {"cloth": {"damping": 1}}},
        "paint": {"shape": {"box": {"min": [-0.2, -0.02, -0.2], "max": [0.2, 0.02, 0.2]}},
                  "behaviors": {"fluid": {}, "control": {"by": "cloth", "attraction": 50, "rate": 50}}}}})");
    const auto place_of = [&](std::uint32_t body) {
        const Pool& pool = simulation->particles();
        Vec3d sum;
        double count = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == body) sum += pool[pool.position][i], count += 1;
        return sum / count;
    };
    advance(*simulation, 2);
    EXPECT_GT(place_of(0).x, 0.8);
    EXPECT_LT(length(place_of(1) - place_of(0)), 0.08);
}

TEST(Control, SaysWhenNobodyLeads) {
    try {
        start(led(R"({"by": "horse"})"));
        FAIL();
    } catch (const std::exception& problem) {
        EXPECT_NE(std::string(problem.what()).find("no body leads"), std::string::npos) << problem.what();
    }
}

// What leads takes up no room: it has a mass, but no volume. Nothing may divide by that.
class LedBy : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(LedBy, ABodyWithoutVolumeHarmsNobody) {
    const auto [solver, viscosity] = GetParam();
    // The leader stands below the water, so the first particle of the pool is one of it until the water has fallen.
    auto simulation = start(fmt::format(
        R"({{"dimensions": 2, "particle_radius": 0.02, "duration": 1, "fps": 20, "solver": {{"pressure": "{}"}},
          "behaviors": {{"gravity": {{}}}},
          "bodies": {{
            "leader": {{"shape": {{"box": {{"min": [0, 0], "max": [0.2, 0.2]}}}}, "behaviors": {{"rigid": {{"held": true}}}}}},
            "water": {{"shape": {{"box": {{"min": [0.4, 0.2], "max": [0.8, 0.6]}}}},
              "behaviors": {{"fluid": {{}}, "control": {{"by": "leader", "weight": 0}}, "viscosity": {}}}}},
            "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.8, 1]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        solver, viscosity));
    advance(*simulation, 0.5);
    const Pool& pool = simulation->particles();
    double height = 0, width = 0, count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        ASSERT_TRUE(is_finite(pool[pool.position][i]));
        ASSERT_TRUE(is_finite(pool[pool.velocity][i].xyz_double()));
        if (pool[pool.body][i] != 1) continue;
        height += pool[pool.position][i].y, count += 1;
        width = std::max(width, 0.8 - pool[pool.position][i].x);
    }
    EXPECT_GT(height / count, 0.05) << "pressure holds it up";
    EXPECT_GT(width, 0.6) << "and it has run out, through the leader";
}

// It lies below all water, so that the first particle of the pool is one of it: pushes must not follow from that one.
TEST(Control, PressureHoldsWaterUpWhoeverIsFirst) {
    auto simulation = start(R"({"dimensions": 2, "particle_radius": 0.02, "duration": 1, "fps": 20,
      "behaviors": {"gravity": {}},
      "bodies": {
        "leader": {"shape": {"box": {"min": [0, -0.5], "max": [0.2, -0.3]}}, "behaviors": {"rigid": {"held": true}}},
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.4]}},
                  "behaviors": {"fluid": {}, "control": {"by": "leader", "weight": 0}}},
        "floor": {"shape": {"box": {"min": [-0.1, -0.1], "max": [0.5, 0]}}, "boundary": {}},
        "left": {"shape": {"box": {"min": [-0.1, 0], "max": [0, 0.5]}}, "boundary": {}},
        "right": {"shape": {"box": {"min": [0.4, 0], "max": [0.5, 0.5]}}, "boundary": {}}}})");
    advance(*simulation, 0.5);
    const Pool& pool = simulation->particles();
    double height = 0, count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 1) height += pool[pool.position][i].y, count += 1;
    EXPECT_NEAR(height / count, 0.2, 0.01);
}

INSTANTIATE_TEST_SUITE_P(
    Control, LedBy,
    testing::Values(std::pair{"dfsph", R"({"model": "artificial"})"}, std::pair{"dfsph", R"({"model": "xsph"})"},
                    std::pair{"iisph", R"({"model": "morris"})"}, std::pair{"pbf", R"({"model": "muller"})"},
                    std::pair{"pcisph", R"({"model": "implicit"})"}, std::pair{"wcsph", R"({"model": "artificial"})"},
                    std::pair{"wcsph", R"({"model": "xsph"})"}),
    [](const auto& one) { return std::string(one.param.first) + std::to_string(one.index); });

} // namespace
} // namespace loam::test
