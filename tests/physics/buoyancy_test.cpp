// Bodies let go in deep water begin to move as potential flow says: (1 - s) g / (s + added mass), s = their density
// over water's. Nothing holds them but inertia: not the pressure that they are under.
#include <gtest/gtest.h>

#include "sunk_body.h"

namespace loam::test {
namespace {

constexpr double g = 9.81, across = 12;

struct Sunk {
    int dimensions = 2;
    std::string shape = "box"; // or ball
    double depth = 4;          // of the water, in sizes of the body; it begins in the middle
};

// Added mass over that of the displaced water: Newman 1977 (square 1.19, circle 1, sphere 1/2), Brennen 1982 (cube).
double added_mass(const Sunk& s) {
    return s.dimensions == 2 ? (s.shape == "box" ? 1.19 : 1) : s.shape == "box" ? 0.67 : 0.5;
}

// How far it gets while it should get 0.15 of its size, as a part of that.
double early_way(double density_ratio, const Sunk& sunk) {
    const double size = 0.12, width = 5 * size, depth = sunk.depth * size, dx = size / across;
    const bool flat = sunk.dimensions == 2;
    const std::string z = flat ? "" : fmt::format(", {}", 0.5 * (width - size)),
                      zs = flat ? "" : fmt::format(", {}", 0.5 * (width + size));
    const double left = 0.5 * (width - size), bottom = 0.5 * (depth - size);
    const std::string middle = flat ? "" : fmt::format(", {}", 0.5 * width);
    const std::string body = sunk.shape == "box"
                                 ? fmt::format(R"({{"box": {{"min": [{}, {}{}], "max": [{}, {}{}]}}}})", left, bottom,
                                               z, left + size, bottom + size, zs)
                                 : fmt::format(R"({{"sphere": {{"center": [{}, {}{}], "radius": {}}}}})", 0.5 * width,
                                               0.5 * depth, middle, 0.5 * size);
    const auto s = start_tank({.dimensions = sunk.dimensions,
                               .width = width,
                               .depth = depth,
                               .radius = dx / 2,
                               .shape = body,
                               .density = 1000 * density_ratio,
                               .wall = R"("slip": "free")"});
    const double acceleration = (1 - density_ratio) * g / (density_ratio + added_mass(sunk));
    const double before = height_of_body(*s), expected = std::copysign(0.15 * size, acceleration);
    advance(*s, std::sqrt(2 * expected / acceleration));
    const double part = (height_of_body(*s) - before) / expected;
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{}D {}, depth {}, s = {}: {:.3f} of its way in {} steps\n", sunk.dimensions, sunk.shape, sunk.depth,
                   density_ratio, part, s->steps());
    return part;
}

class Buoyancy : public testing::TestWithParam<double> {};

TEST_P(Buoyancy, SquaresStartAsInWater) { EXPECT_NEAR(early_way(GetParam(), {}), 1, 0.15); }
TEST_P(Buoyancy, DiscsStartAsInWater) { EXPECT_NEAR(early_way(GetParam(), {.shape = "ball"}), 1, 0.15); }

// At 0.3 they get 1.2 times as far: water under them does not follow fast enough.
INSTANTIATE_TEST_SUITE_P(All, Buoyancy, testing::Values(0.6, 0.9, 1.2, 1.6, 2.0));

// Where weight acts between particles they get 0.45 to 0.81 of their way.
class DeepBuoyancy : public testing::TestWithParam<double> {};

TEST_P(DeepBuoyancy, SquaresStartAsInWater) { EXPECT_NEAR(early_way(GetParam(), {.depth = 10}), 1, 0.15); }

INSTANTIATE_TEST_SUITE_P(All, DeepBuoyancy, testing::Values(0.3, 0.6, 0.9, 1.2, 1.6, 2.0));

TEST(BuoyancyLong, CubesAndBallsStartAsInWater) {
    for (const double s : {0.6, 0.9, 1.2, 2.0})
        for (const char* shape : {"box", "ball"})
            EXPECT_NEAR(early_way(s, {.dimensions = 3, .shape = shape}), 1, 0.15) << shape << " " << s;
}

} // namespace
} // namespace loam::test
