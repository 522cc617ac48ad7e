// What `slip` says: a layer of fluid slides along a floor. (Wall particles are bumps of a percent to what slides on
// them.)
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// A periodic layer of fluid under gravity that starts with 1 m/s along the floor; its mean speed after 0.2 s.
double speed_left(const std::string& slip, const std::string& viscosity = "", const std::string& solver = "dfsph") {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 1, "fps": 50, "particle_radius": 0.01,
            "domain": {{"min": [0, null, null], "max": [0.4, null, null], "periodic": "x"}},
            "solver": {{"pressure": "{2}"}}, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.4, 0.1]}}}}, "velocity": [1, 0, 0],
                        "behaviors": {{"fluid": {{}} {1}}}}},
              "floor": {{"shape": {{"plane": {{"point": [0.2, 0], "size": 0.4}}}}, "boundary": {{{0}}}}}}}}})",
        slip, viscosity, solver));
    advance(*s, 0.2);
    return momentum(*s).x / total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
}

TEST(WallSlip, FreeIsFree) { EXPECT_NEAR(speed_left(R"("slip": "free")"), 1, 0.02); }

TEST(WallSlip, FreeIsFreeForHoney) {
    EXPECT_NEAR(speed_left(R"("slip": "free")", R"(, "viscosity": {"viscosity": 50})"), 1, 0.02);
}

// Coulomb: the layer as a whole is braked by mu g.
TEST(WallSlip, FrictionBrakesByItsCoefficient) {
    const std::string stiff = R"(, "viscosity": {"viscosity": 50})"; // so that the layer moves as one
    EXPECT_NEAR(speed_left(R"("slip": "friction", "friction": 0.2)", stiff), 1 - 0.2 * 9.81 * 0.2, 0.05);
    EXPECT_NEAR(speed_left(R"("slip": "friction", "friction": 0.1)", stiff), 1 - 0.1 * 9.81 * 0.2, 0.03);
}

TEST(WallSlip, FrictionActsWithoutViscosity) {
    for (const char* solver : {"dfsph", "wcsph"}) {
        const double left = speed_left(R"("slip": "friction", "friction": 0.3)", "", solver);
        EXPECT_LT(left, 0.95) << solver;
        EXPECT_GT(left, 0.2) << solver;
    }
}

// Diffusion into the floor: the mean speed falls as 8 / pi^2 exp(-nu (pi / 2 H)^2 t) = 0.069.
TEST(WallSlip, NoSlipStopsWhatIsViscous) {
    EXPECT_NEAR(speed_left(R"("slip": "no")", R"(, "viscosity": {"viscosity": 50})"), 0.069, 0.025);
}

TEST(WallSlip, NoSlipHoldsTheFirstLayerWithoutViscosity) { EXPECT_LT(speed_left(R"("slip": "no")"), 0.95); }

// Walls that push by forces have no pressure of their own, but slip as well.
class SlipAtForceWalls : public testing::TestWithParam<std::string> {
protected:
    static double left(const std::string& slip, const std::string& viscosity = "") {
        return speed_left("\"method\": \"" + GetParam() + "\", \"slip\": " + slip, viscosity);
    }
    const std::string stiff = R"(, "viscosity": {"viscosity": 50})";
};

// Particles of these walls are bumps, which push along the wall too and brake by themselves.
TEST_P(SlipAtForceWalls, FrictionBrakes) {
    EXPECT_LT(left(R"("friction", "friction": 0.2)", stiff), left("\"free\"", stiff) - 0.1);
}

TEST_P(SlipAtForceWalls, NoSlipHoldsTheFirstLayer) {
    EXPECT_LT(left("\"no\""), left("\"free\"") - 0.05);
    EXPECT_LT(left("\"no\"", stiff), 0.2);
}

INSTANTIATE_TEST_SUITE_P(All, SlipAtForceWalls, testing::Values("lennard-jones", "dem"),
                         [](const auto& one) { return std::string(one.param == "dem" ? "dem" : "lennard_jones"); });

} // namespace
} // namespace loam::test
