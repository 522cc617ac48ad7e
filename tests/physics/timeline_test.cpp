// Behaviors on a timeline: weights and properties keyed over time, and over what particles are.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

std::unique_ptr<Simulation> run_scene(const std::string& text, double until) {
    auto simulation = start(text);
    advance(*simulation, until);
    return simulation;
}

const char* const free_blob = R"("dimensions": 2, "particle_radius": 0.05, "duration": 1, "fps": 20,
  "solver": {"pressure": "wcsph"},)";

double mean_velocity(const Simulation& simulation, double Vec3d::*axis) {
    const Pool& pool = simulation.particles();
    double sum = 0;
    for (const Float4& v : pool[pool.velocity]) sum += v.xyz_double().*axis;
    return sum / static_cast<double>(pool.size());
}

TEST(Timeline, FadesAForceOverTime) {
    // The weight falls from 1 to 0 over the first half second: half of g for that time is left as speed.
    const auto simulation = run_scene("{" + std::string(free_blob) + R"(
      "behaviors": {"gravity": {"acceleration": [0, -10], "weight": {"keys": [[0, 1], [0.5, 0]]}}},
      "bodies": {"blob": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}}, "behaviors": {"fluid": {}}}}})",
                                      1);
    EXPECT_NEAR(mean_velocity(*simulation, &Vec3d::y), -2.5, 0.1);
}

TEST(Timeline, KeysAPropertyOverTime) {
    const auto simulation = run_scene("{" + std::string(free_blob) + R"(
      "behaviors": {"gravity": {"acceleration": {"interpolation": "step", "keys": [[0, [4, 0]], [0.5, [0, 2]]]}}},
      "bodies": {"blob": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}}, "behaviors": {"fluid": {}}}}})",
                                      1);
    EXPECT_NEAR(mean_velocity(*simulation, &Vec3d::x), 2, 0.05);
    EXPECT_NEAR(mean_velocity(*simulation, &Vec3d::y), 1, 0.05);
}

TEST(Timeline, WeightsDifferFromParticleToParticle) {
    // Gravity only above y = 2: the upper of two blobs falls, the lower one stays.
    const auto simulation = run_scene("{" + std::string(free_blob) + R"(
      "behaviors": {"gravity": {"acceleration": [0, -1],
                    "weight": {"over": "height", "interpolation": "step", "keys": [[0, 0], [2, 1]]}}},
      "bodies": {"blobs": {"shape": {"union": [{"box": {"min": [0, 0], "max": [1, 1]}}, {"box": {"min": [0, 4], "max": [1, 5]}}]},
                 "behaviors": {"fluid": {}}}}})",
                                      0.5);
    const Pool& pool = simulation->particles();
    for (std::size_t i = 0; i < pool.size(); ++i)
        EXPECT_NEAR(pool[pool.velocity][i].y, pool[pool.position][i].y > 2 ? -0.5 : 0, 0.01);
}

TEST(Timeline, AgeGrowsWithTime) {
    const auto simulation = run_scene("{" + std::string(free_blob) + R"(
      "behaviors": {"gravity": {"acceleration": [0, -1],
                    "weight": {"over": "age", "interpolation": "step", "keys": [[0, 0], [0.25, 1]]}}},
      "bodies": {"blob": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}}, "behaviors": {"fluid": {}}}}})",
                                      0.5);
    EXPECT_NEAR(mean_velocity(*simulation, &Vec3d::y), -0.25, 0.01);
}

TEST(Timeline, DensityFollowsItsKeysAndMassWithIt) {
    const auto simulation = run_scene("{" + std::string(free_blob) + R"(
      "bodies": {"blob": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}},
                 "behaviors": {"fluid": {"density": {"keys": [[0, 500], [0.5, 2000]]}}}}}})",
                                      1);
    const Pool& pool = simulation->particles();
    EXPECT_NEAR(pool[pool.mass][0], 2000 * 0.01, 1e-4);
}

// A shear that water would keep dies out once the viscosity is keyed up.
TEST(Timeline, AFluidThickens) {
    auto simulation = start(R"({"dimensions": 2, "particle_radius": 0.05, "duration": 2, "fps": 10,
      "domain": {"min": [0, 0], "max": [2, 2], "periodic": "xy"},
      "bodies": {"blob": {"shape": {"box": {"min": [0, 0], "max": [2, 2]}},
                 "behaviors": {"fluid": {}, "viscosity": {"viscosity": {"keys": [[0, 0], [0.5, 0], [0.6, 500]]}}}}}})");
    set_velocities(*simulation, [](const Vec3d& p) { return Vec3d{std::sin(3.14159265 * p.y), 0, 0}; });
    const double before = kinetic_energy(*simulation);
    advance(*simulation, 0.5);
    EXPECT_GT(kinetic_energy(*simulation), 0.5 * before);
    advance(*simulation, 1.5);
    EXPECT_LT(kinetic_energy(*simulation), 0.05 * before);
}

TEST(Timeline, AGroupHasBehaviorsOfItsOwn) {
    auto simulation = start("{" + std::string(free_blob) + R"(
      "behaviors": {"gravity": {"acceleration": [0, -1]}},
      "bodies": {"blobs": {"shape": {"union": [{"box": {"min": [0, 0], "max": [1, 1]}}, {"box": {"min": [0, 4], "max": [1, 5]}}]},
                 "behaviors": {"fluid": {}},
                 "groups": {"upper": {"shape": {"box": {"min": [-1, 3], "max": [2, 6]}},
                            "behaviors": {"gravity": {"acceleration": [2, 0]}}}}}}})");
    advance(*simulation, 0.5);
    const Pool& pool = simulation->particles();
    EXPECT_EQ(simulation->scene().bodies.at(1).name, "blobs.upper");
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const bool upper = pool[pool.position][i].y > 2;
        EXPECT_EQ(pool[pool.body][i], upper ? 1u : 0u);
        EXPECT_NEAR(pool[pool.velocity][i].y, upper ? 0 : -0.5, 0.01);
        EXPECT_NEAR(pool[pool.velocity][i].x, upper ? 1 : 0, 0.01);
    }
}

// With no share in the pressure, crossing blobs pass through each other; with a full one they do not.
TEST(Timeline, WithoutItsWeightAFluidDoesNotPush) {
    const auto end_of = [](const char* weight, const char* solver) {
        const std::string fluid = std::string(R"("behaviors": {"fluid": {"weight": )") + weight + "}}}";
        const auto simulation = run_scene(
            std::string(
                R"({"dimensions": 2, "particle_radius": 0.05, "duration": 1, "fps": 20, "solver": {"pressure": ")") +
                solver +
                R"("}, "bodies": {"left": {"shape": {"box": {"min": [0, 0], "max": [0.5, 0.5]}}, "velocity": [1, 0], )" +
                fluid + R"(, "right": {"shape": {"box": {"min": [0.6, 0], "max": [1.1, 0.5]}}, "velocity": [-1, 0], )" +
                fluid + "}}",
            0.5);
        const Pool& pool = simulation->particles();
        double sum = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == 0) sum += pool[pool.velocity][i].x;
        return sum * 2 / static_cast<double>(pool.size());
    };
    for (const char* solver : {"wcsph", "dfsph", "iisph", "pcisph", "pbf"}) {
        EXPECT_NEAR(end_of("0", solver), 1, 1e-6) << solver;
        EXPECT_LT(end_of("1", solver), 0.5) << solver;
    }
}

} // namespace
} // namespace loam::test
