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
    const Pool& pool = simulation->particles();
    const auto energy = [&] {
        return kinetic_energy(*simulation) +
               9.81 * total(*simulation, [&](std::size_t i) { return pool[pool.mass][i] * pool[pool.position][i].y; });
    };
    const double before = energy();
    double most = 0, fastest = 0;
    advance(*simulation, 0.3,
            [&] { most = std::max(most, energy() / before), fastest = std::max(fastest, pool.fastest()); });
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{}: {:.4f} of its energy at most, {:.4f} at the end, {:.2f} m/s at most\n", GetParam(), most,
                   energy() / before, fastest);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d x = pool[pool.position][i];
        EXPECT_TRUE(x.x >= 0 && x.x <= 0.4 && x.y >= 0) << x.x << " " << x.y;
    }
    EXPECT_LT(most, 1.001); // walls give no energy
}

INSTANTIATE_TEST_SUITE_P(Methods, ForceWalls, testing::Values("lennard-jones", "dem"), [](const auto& method) {
    return std::string(method.param) == "dem" ? "Dem" : "LennardJones";
});

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

// Water that is poured onto a plate or a plane runs off the plate's ends, and nowhere falls through.
TEST(ThinPlate, HoldsWaterWhateverItsThickness) {
    for (const double thickness : {0.02, 0.0205, 0.0225, 0.025, 0.03, 0.04}) {
        auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
            "bodies": {{"water": {{"shape": {{"box": {{"min": [-0.1, 0], "max": [0.1, 0.1]}}}}, "behaviors": {{"fluid": {{}}}}}},
                       "plate": {{"shape": {{"box": {{"min": [-1, {}], "max": [1, 0]}}}}, "boundary": {{}}}}}}}})",
                                   -thickness));
        advance(*s, 0.3);
        for (const Vec3d& x : s->particles()[s->particles().position]) ASSERT_GT(x.y, -1e-9) << thickness;
    }
}

TEST(EndlessWalls, HoldBeyondTheirPatch) {
    for (const char* wall :
         {R"({"plane": {"size": 0.3}})",
          R"({"heightfield": {"min": [-0.15, -0.01, -0.15], "max": [0.15, 0, 0.15], "amplitude": 0}})"}) {
        auto s = start(fmt::format(R"({{"particle_radius": 0.02, "behaviors": {{"gravity": {{}}}}, "bodies": {{
            "water": {{"shape": {{"box": {{"min": [-0.1, 0, -0.1], "max": [0.1, 0.3, 0.1]}}}}, "behaviors": {{"fluid": {{}}}}}},
            "floor": {{"shape": {}, "boundary": {{}}}}}}}})",
                                   wall));
        advance(*s, 0.5);
        double widest = 0;
        for (const Vec3d& x : s->particles()[s->particles().position]) widest = std::max(widest, std::abs(x.x));
        EXPECT_GT(widest, 0.3);
        EXPECT_LT(s->deepest_in_walls(), 1e-6) << wall;
    }
}

// What the scene would be told, or nothing.
std::string refusal(const std::string& bodies) {
    try {
        start(R"({"dimensions": 2, "particle_radius": 0.02, "behaviors": {"gravity": {}},
                  "domain": {"min": [0, -1], "max": [1, null], "periodic": "x"}, "bodies": )" +
              bodies + "}");
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

TEST(PeriodicSides, RefuseWhatTheyWouldCut) {
    const std::string water =
        R"("water": {"shape": {"box": {"min": [0.4, 0.5], "max": [0.6, 0.6]}}, "behaviors": {"fluid": {}}})";
    const auto with_wall = [&](const char* shape) {
        return refusal("{" + water + R"(, "wall": {"shape": )" + shape + R"(, "boundary": {}}})");
    };
    for (const char* cut :
         {R"({"circle": {"center": [0, 0], "radius": 0.2}})", R"({"circle": {"center": [0.9, 0], "radius": 0.2}})"})
        EXPECT_NE(with_wall(cut).find("goes out through the periodic side"), std::string::npos) << cut;
    EXPECT_EQ(with_wall(R"({"union": [{"circle": {"center": [0, 0], "radius": 0.2}},
                                      {"circle": {"center": [1, 0], "radius": 0.2}}]})"),
              "");
    EXPECT_EQ(with_wall(R"({"circle": {"center": [0.21, 0], "radius": 0.2}})"), "");
    EXPECT_EQ(with_wall(R"({"box": {"min": [0, 0], "max": [1, 1]}, "invert": true})"), "");
    EXPECT_EQ(with_wall(R"({"plane": {"point": [0.5, 0], "size": 1}})"), "");
    EXPECT_EQ(with_wall(R"({"box": {"min": [-1, -0.2], "max": [3, 0]}})"), "");

    EXPECT_NE(
        refusal(R"({"water": {"shape": {"box": {"min": [0, 0], "max": [1.4, 0.2]}}, "behaviors": {"fluid": {}}}})")
            .find("within its own image"),
        std::string::npos);
    EXPECT_NE(refusal(R"({"a": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.2]}}, "behaviors": {"fluid": {}}},
                          "b": {"shape": {"box": {"min": [1, 0], "max": [1.2, 0.2]}}, "behaviors": {"fluid": {}}}})")
                  .find("within bodies.b"),
              std::string::npos);
}

TEST(OpenSides, TakeWhatLeaves) {
    auto s = start(R"({"dimensions": 2, "particle_radius": 0.02, "behaviors": {"gravity": {}},
        "domain": {"min": [null, -0.2], "max": [null, null]}, "bodies": {
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.2]}}, "behaviors": {"fluid": {}}}}})");
    advance(*s, 0.25); // it has fallen by 0.31 m
    EXPECT_GT(s->particles().size(), 0u);
    EXPECT_LT(s->particles().size(), 25u);
    advance(*s, 0.4);
    EXPECT_EQ(s->particles().size(), 0u);
    EXPECT_EQ(s->take_report().died, 25u);

    EXPECT_NE(refusal(R"({"water": {"behaviors": {"fluid": {}}, "emitters": {"tap": {
        "shape": {"box": {"min": [0.4, -3], "max": [0.6, -2.9]}}}}}})")
                  .find("outside of the domain"),
              std::string::npos);
}

TEST(FarScenes, AreRefused) {
    const auto at = [](double x) {
        return refusal(fmt::format(R"({{"water": {{"shape": {{"box": {{"min": [0.2, {0}], "max": [0.4, {1}]}}}},
                                                 "behaviors": {{"fluid": {{}}}}}}}})",
                                   x, x + 0.2));
    };
    EXPECT_EQ(at(1e4), "");
    EXPECT_NE(at(1e6).find("so far from the origin"), std::string::npos);
}

// Walls go on with the lattice of a fluid around them, at their edges too.
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

// Walls that go out at one periodic side come in at the other, for as many periods as they move.
std::string round_trip(const std::string& bodies, double radius = 0.02) {
    return fmt::format(R"({{"dimensions": 2, "particle_radius": {}, "fps": 20,
        "domain": {{"min": [0.3, null], "max": [1.5, null], "periodic": "x"}}, "bodies": {{{},
        "floor": {{"shape": {{"box": {{"min": [-3, -0.1], "max": [4, 0]}}}}, "boundary": {{}}}},
        "lid": {{"shape": {{"box": {{"min": [-3, 0.4], "max": [4, 0.5]}}}}, "boundary": {{}}}}}}}})",
                       radius, bodies);
}

double mean_speed(const Simulation& s) {
    return momentum(s).x / total(s, [&](std::size_t i) { return s.particles()[s.particles().mass][i]; });
}

TEST(PeriodicWalls, PistonGoesRoundAndRound) {
    const auto s = start(round_trip(R"(
        "water": {"shape": {"box": {"min": [0.6, 0], "max": [1.4, 0.4]}}, "velocity": [0.8, 0], "behaviors": {"fluid": {}}},
        "piston": {"shape": {"box": {"min": [0.3, 0], "max": [0.5, 0.4]}},
                   "boundary": {"motion": {"velocity": [0.8, 0]}}})"));
    for (int frame = 1; frame <= 110; ++frame) { // 3.7 periods
        advance(*s, 0.05 * frame);
        ASSERT_LT(s->deepest_in_walls(), 1e-6) << s->time();
        for (const Vec3d& x : s->walls()[s->walls().position]) ASSERT_TRUE(x.x >= 0.3 && x.x < 1.5) << s->time();
    }
    EXPECT_NEAR(mean_speed(*s), 0.8, 0.02);
    // Nobody has slipped through: all are between the piston and its image, one period on.
    const double front = 0.5 + 0.8 * s->time();
    for (const Vec3d& x : s->particles()[s->particles().position]) {
        const double ahead = std::fmod(x.x - front + 100 * 1.2, 1.2);
        EXPECT_LT(ahead, 1.0 + 0.03);
    }
}

TEST(PeriodicWalls, BeltDragsForEver) {
    auto text = round_trip(R"("water": {"shape": {"box": {"min": [0.3, 0], "max": [1.5, 0.4]}},
        "behaviors": {"fluid": {}, "viscosity": {"viscosity": 100}}})",
                           0.025);
    text.replace(text.find("\"boundary\": {}"), 14, R"("boundary": {"slip": "no", "motion": {"velocity": [1.5, 0]}})");
    const auto s = start(text);
    advance(*s, 6); // the whole belt has gone by, and more
    EXPECT_NEAR(mean_speed(*s), 1.5, 0.05);
}

// The arm turns through the side at x = 0.3 and strikes from below what lies behind the other one.
TEST(PeriodicWalls, ArmReachesAcrossTheSide) {
    for (const char* const what : {R"("fluid": {})", R"("rigid": {})", R"("elastic": {"young_modulus": 1e5})"}) {
        const auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.01, "fps": 20,
            "domain": {{"min": [0.3, null], "max": [1.5, null], "periodic": "x"}}, "bodies": {{
            "block": {{"shape": {{"box": {{"min": [1.36, 0.25], "max": [1.46, 0.35]}}}}, "behaviors": {{{}}}}},
            "arm": {{"shape": {{"box": {{"min": [0.42, 0.18], "max": [0.7, 0.24]}}}},
                     "boundary": {{"motion": {{"turns_per_second": -0.5, "axis": [0, 0, 1], "pivot": [0.42, 0.21]}}}}}}}}}})",
                                         what));
        for (int frame = 1; frame <= 22; ++frame) { // a bit more than half a turn
            advance(*s, 0.05 * frame);
            ASSERT_LT(s->deepest_in_walls(), 0.002) << what << " " << s->time();
        }
        const double mass = total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
        EXPECT_GT(momentum(*s).y / mass, 0.3) << what; // its tip moves at 0.9 m/s
    }
}

} // namespace
} // namespace loam::test
