// Drag and wind on a single particle, which has closed forms.
#include <gtest/gtest.h>

#include <numbers>

#include "run_scene.h"

namespace loam::test {
namespace {

std::string lone_particle(const std::string& behavior) {
    return R"({"particle_radius": 0.01, "fps": 100, "bodies": {"spray": {"velocity": [10, 0, 0],
        "shape": {"box": {"min": [0, 0, 0], "max": [0.02, 0.02, 0.02]}},
        "behaviors": {"fluid": {}, )" +
           behavior + "}}}}";
}

double speed(const Simulation& simulation) {
    const Pool& pool = simulation.particles();
    EXPECT_EQ(pool.size(), 1u);
    return pool[pool.velocity][0].x;
}

// dv/dt = -q v^2 gives v0 / (1 + q v0 t), with q = 1/2 c rho_air pi/4 d^2 / m.
TEST(Drag, SlowsALoneParticleQuadratically) {
    auto simulation = start(lone_particle(R"("drag": {"air_density": 50})"));
    advance(*simulation, 1);
    const Pool& pool = simulation->particles();
    const double volume = 8e-6,
                 q = 0.5 * 0.47 * 50 * std::numbers::pi / (4 * 0.02) * pool[pool.volume][0] / pool[pool.mass][0];
    EXPECT_NEAR(pool[pool.volume][0], volume, 0.05 * volume);
    EXPECT_NEAR(speed(*simulation), 10 / (1 + q * 10), 0.02 * 10);
}

TEST(Drag, SlowsALoneParticleLinearly) {
    auto simulation =
        start(lone_particle(R"("drag": {"linear": 1, "coefficient": 0})"), {"solver.max_time_step=0.001"});
    advance(*simulation, 1);
    EXPECT_NEAR(speed(*simulation), 10 * std::exp(-1), 0.01);
}

TEST(Wind, CarriesAlongTillThereIsNoDrag) {
    auto simulation = start(lone_particle(R"("wind": {"velocity": [-3, 0, 0], "linear": 20})"));
    advance(*simulation, 1);
    EXPECT_NEAR(speed(*simulation), -3, 0.01);
}

} // namespace
} // namespace loam::test
