// A blast: how fast it throws what it hits, and what walls keep off.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

std::string boxes(const std::string& more) {
    return R"({"duration": 1, "fps": 100, "particle_radius": 0.01,
      "behaviors": {"explosion": {"center": [0, 0.03, 0.03], "time": 0.0123, "pressure": 50000, "radius": 0.2, "falloff": 2,
                                  "speed": 300, "duration": 0.003}},
      "bodies": {"near": {"shape": {"box": {"min": [0.4, 0, 0], "max": [0.46, 0.06, 0.06]}},
                          "behaviors": {"rigid": {"density": 500}}},
                 "far": {"shape": {"box": {"min": [-0.86, 0, 0], "max": [-0.8, 0.06, 0.06]}},
                         "behaviors": {"rigid": {"density": 500}}})" +
           more + "}}";
}

double speed(const Simulation& s, std::uint32_t body) {
    const Pool& pool = s.particles();
    Vec3d sum;
    double mass = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == body)
            sum += static_cast<double>(pool[pool.mass][i]) * pool[pool.velocity][i].xyz_double(),
                mass += pool[pool.mass][i];
    return sum.x / mass;
}

// v = I l^2 / m, whatever the steps; a quarter of it at twice the distance.
TEST(Explosion, ThrowsByItsImpulse) {
    for (const char* steps : {"solver.max_time_step=0.01", "solver.max_time_step=0.0004"}) {
        const auto s = start(boxes(""), {steps});
        advance(*s, 0.0122);
        EXPECT_EQ(speed(*s, 0), 0);
        advance(*s, 0.0123 + 0.4 / 300 - 1e-5);
        EXPECT_NEAR(speed(*s, 0), 0, 1e-3); // it is not there yet
        advance(*s, 0.05);
        const double full = 50000 * 0.003 * std::exp(-1.0) / (500 * 0.02);
        EXPECT_NEAR(speed(*s, 0), full * std::pow(0.2 / 0.43, 2), 0.03 * full) << steps;
        EXPECT_NEAR(speed(*s, 1), -full * std::pow(0.2 / 0.83, 2), 0.01 * full) << steps;
    }
}

TEST(Explosion, WallsShelterWhatIsBehindThem) {
    const std::string wall =
        R"(, "wall": {"shape": {"box": {"min": [0.2, -1, -1], "max": [0.25, 1, 1]}}, "boundary": {}})";
    const auto s = start(boxes(wall));
    advance(*s, 0.05);
    EXPECT_EQ(speed(*s, 0), 0);
    EXPECT_LT(speed(*s, 1), -0.1);
    const auto through = start(boxes(wall), {"behaviors.explosion.shelter=false"});
    advance(*through, 0.03);
    EXPECT_GT(speed(*through, 0), 0.1);
}

// The scene's sand and water: both are thrown apart, upward and outward, and none of them is lost.
TEST(Explosion, TearsSandAndWaterApart) {
    for (const char* law : {R"("sand": {})", R"("fluid": {})"}) {
        const auto s = start(std::string(R"({"dimensions": 2, "duration": 1, "fps": 50, "particle_radius": 0.01,
          "behaviors": {"gravity": {}, "explosion": {"center": [0, -0.05], "time": 0.05, "pressure": 1e5, "radius": 0.1,
                                                     "duration": 0.003, "shelter": false}},
          "bodies": {"heap": {"shape": {"box": {"min": [-0.2, 0], "max": [0.2, 0.12]}}, "behaviors": {)") +
                             law + R"(}},
                     "floor": {"shape": {"plane": {"size": 4}}, "boundary": {}}}})");
        advance(*s, 0.25);
        const Pool& pool = s->particles();
        double high = 0, wide = 0;
        for (const Vec3d& p : pool[pool.position]) high = std::max(high, p.y), wide = std::max(wide, std::abs(p.x));
        EXPECT_GT(high, 0.3) << law;
        EXPECT_GT(wide, 0.4) << law;
        EXPECT_EQ(pool.size(), 20U * 6) << law;
    }
}

} // namespace
} // namespace loam::test
