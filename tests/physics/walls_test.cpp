// Walls that act by forces: they hold what rests on them, nothing passes, and adhesion holds what hangs below.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

class ForceWalls : public testing::TestWithParam<const char*> {};

TEST_P(ForceWalls, HoldAFluidAtRest) {
    auto simulation = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
        "bodies": {{"water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.4, 0.3]}}}}, "behaviors": {{"fluid": {{}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.4, 0.8]}}, "invert": true}},
                  "boundary": {{"method": "{}"}}}}}}}})",
                                        GetParam()));
    advance(*simulation, 1);
    const Pool& pool = simulation->particles();
    double lowest = 1, top = 0, fastest = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d x = pool[pool.position][i];
        lowest = std::min({lowest, x.y, x.x, 0.4 - x.x});
        top = std::max(top, x.y);
        fastest = std::max(fastest, length(pool[pool.velocity][i].xyz_double()));
    }
    EXPECT_GT(lowest, 0);         // nobody behind a wall
    EXPECT_NEAR(top, 0.29, 0.02); // nor is the fluid pressed flat or blown up
    EXPECT_LT(fastest, 0.4);      // free fall from the surface would be 2.4 m/s
    EXPECT_EQ(simulation->take_report().pushed_back, 0u);
}

TEST_P(ForceWalls, StopAFastDrop) {
    auto simulation = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
        "bodies": {{"water": {{"shape": {{"box": {{"min": [0.1, 0.2], "max": [0.3, 0.3]}}}}, "velocity": [0, -5],
                               "behaviors": {{"fluid": {{}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.4, 3]}}, "invert": true}},
                  "boundary": {{"method": "{}"}}}}}}}})",
                                        GetParam()));
    advance(*simulation, 0.3);
    const Pool& pool = simulation->particles();
    double fastest = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d x = pool[pool.position][i];
        EXPECT_TRUE(x.x >= 0 && x.x <= 0.4 && x.y >= 0) << x.x << " " << x.y;
        fastest = std::max(fastest, length(pool[pool.velocity][i].xyz_double()));
    }
    EXPECT_LT(fastest, 10); // walls give no energy; jets along the floor may be faster than the drop was
}

INSTANTIATE_TEST_SUITE_P(Methods, ForceWalls, testing::Values("lennard-jones", "dem"), [](const auto& method) {
    return std::string(method.param) == "dem" ? "Dem" : "LennardJones";
});

// Walls go on with the lattice of a fluid around them, at their edges too. A particle beside an edge, in the plane of
// the other face, used to count the edge twenty times.
// What flies by several diameters in a step comes to a wall from beyond the reach of its particles.
TEST(FastParticles, AreCaughtByWalls) {
    auto s = start(R"({"particle_radius": 0.025, "fps": 50, "solver": {"time_step": 0.02},
        "bodies": {"drop": {"shape": {"sphere": {"center": [0, 0.5, 0], "radius": 0.1}}, "velocity": [0, -12, 0],
                            "behaviors": {"fluid": {}}},
                   "tank": {"shape": {"box": {"min": [-0.5, 0, -0.5], "max": [0.5, 1, 0.5]}, "invert": true},
                            "boundary": {}}}})");
    advance(*s, 0.1);
    EXPECT_EQ(s->deepest_in_walls(), 0);
}

TEST(WallEdges, LeaveAFluidAroundThemAtRest) {
    for (const int dimensions : {2, 3}) {
        auto simulation = start(fmt::format(R"({{"dimensions": {}, "particle_radius": 0.05, "bodies": {{
            "water": {{"shape": {{"difference": [{{"box": {{"min": [-1, -1, -1], "max": [1, 1, 1]}}}},
                                               {{"box": {{"min": [-0.5, -0.4, -0.3], "max": [0.4, 0.4, 0.3]}}}}]}},
                      "behaviors": {{"fluid": {{}}}}}},
            "block": {{"shape": {{"box": {{"min": [-0.5, -0.4, -0.3], "max": [0.4, 0.4, 0.3]}}}}, "boundary": {{}}}}}}}})",
                                            dimensions));
        advance(*simulation, 1e-6);
        const Pool& pool = simulation->particles();
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const Vec3d x = pool[pool.position][i];
            if (std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) > 0.7) continue; // near the free surface
            EXPECT_NEAR(pool[pool.density][i], 1, 0.06) << x.x << " " << x.y << " " << x.z;
        }
    }
}

double left_below_a_plate(double adhesion) {
    auto simulation = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
        "bodies": {{"film": {{"shape": {{"box": {{"min": [-0.1, -0.02], "max": [0.1, 0]}}}}, "behaviors": {{"fluid": {{}}}}}},
        "plate": {{"shape": {{"box": {{"min": [-0.3, 0], "max": [0.3, 0.1]}}}}, "boundary": {{"adhesion": {}}}}}}}}})",
                                        adhesion));
    advance(*simulation, 0.5);
    const Pool& pool = simulation->particles();
    double held = 0;
    for (const Vec3d& x : pool[pool.position]) held += x.y > -0.03 && x.y < 0;
    return held / static_cast<double>(pool.size());
}

TEST(Adhesion, HoldsAFilmUnderAPlate) {
    EXPECT_EQ(left_below_a_plate(0), 0);
    EXPECT_EQ(left_below_a_plate(10), 1);
}

} // namespace
} // namespace loam::test
