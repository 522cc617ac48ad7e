// Weight that does not act between particles (pressure/weight_pressure.h): a tank at rest is at rest, and bodies in
// deep water rise and sink as in water, not as in sand.
#include <gtest/gtest.h>

#include "sunk_body.h"

namespace loam::test {
namespace {

constexpr double g = 9.81;

TEST(SmoothWeight, TankAtRestIsAtRest) {
    const auto s = start_tank({.width = 0.5, .depth = 0.6});
    advance(*s, 1);
    const Pool& pool = s->particles();
    double mass = 0;
    for (const float m : pool[pool.mass]) mass += m;
    if (std::getenv("LOAM_SHOW")) fmt::print("at rest: {:.4f} m/s\n", std::sqrt(2 * kinetic_energy(*s) / mass));
    EXPECT_LT(2 * kinetic_energy(*s) / mass, 1.2e-3); // rms 0.035 m/s; without it 0.1
    EXPECT_LT(s->steps(), 200u);                      // without it 350
    const double height = total(*s, [&](std::size_t i) { return pool[pool.position][i].y; }) / double(pool.size());
    EXPECT_NEAR(height, 0.3, 0.006);
    // What a gauge shows is the whole pressure.
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double depth = 0.6 - pool[pool.position][i].y;
        EXPECT_NEAR(pool[pool.felt_pressure][i], 1000 * g * depth, 0.05 * 1000 * g * 0.6);
    }
}

// How far a square of 0.17 m gets in half a second, from where its lower side is at first.
double way_of_square(double density, double from) {
    const auto s =
        start_tank({.width = 0.68,
                    .depth = 0.8,
                    .radius = 0.17 / 24,
                    .shape = fmt::format(R"({{"box": {{"min": [0.255, {}], "max": [0.425, {}]}}}})", from, from + 0.17),
                    .density = density});
    const double before = height_of_body(*s);
    advance(*s, 0.5);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("a square of {} kg/m^3 moves {:.4f} m\n", density, height_of_body(*s) - before);
    return height_of_body(*s) - before;
}

// The references are from water without weight, in a closed tank, where the square is pulled by its weight less that of
// the water it displaces: no pressure resists it there. Weight between particles lets it rise 0.045 m.
TEST(SmoothWeight, LightSquareRises) { EXPECT_NEAR(way_of_square(850, 0.3), 0.083, 0.15 * 0.083); }
TEST(SmoothWeight, HeavySquareSinks) { EXPECT_NEAR(way_of_square(1500, 0.45), -0.175, 0.15 * 0.175); }
// At any depth.
TEST(SmoothWeight, NeutralSquareStaysAndLightOneDoesNot) {
    EXPECT_NEAR(way_of_square(1000, 0.1), 0, 0.004);
    EXPECT_GT(way_of_square(950, 0.1), 0.015);
}

} // namespace
} // namespace loam::test
