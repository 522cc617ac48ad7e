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

TEST(Control, SaysWhenNobodyLeads) {
    try {
        start(led(R"({"by": "horse"})"));
        FAIL();
    } catch (const std::exception& problem) {
        EXPECT_NE(std::string(problem.what()).find("no body leads"), std::string::npos) << problem.what();
    }
}

} // namespace
} // namespace loam::test
