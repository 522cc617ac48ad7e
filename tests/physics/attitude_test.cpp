// How a square floats: the attitude of least energy. 45 degrees for densities from 9/32 to 23/32 of the water's, flat
// below 0.211 and above 0.789, and something between in between (Gilbert 1991, "How things float").
#include <array>
#include <cstdlib>
#include <numbers>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double degree = std::numbers::pi / 180;

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

struct Wet {
    double area = 0;
    double height = 0; // of its middle over that of the square
};

// The part below y = level of a square of edge 1 about the origin that is turned by an angle.
Wet wet_part(double angle, double level) {
    std::vector<Vec3d> corners, below;
    for (const double at : {45.0, 135.0, 225.0, 315.0}) {
        const double a = angle + at * degree;
        corners.push_back(std::sqrt(0.5) * Vec3d{std::cos(a), std::sin(a), 0});
    }
    for (std::size_t k = 0; k < 4; ++k) {
        const Vec3d from = corners[k], to = corners[(k + 1) % 4];
        if (from.y <= level) below.push_back(from);
        if ((from.y <= level) != (to.y <= level))
            below.push_back(from + ((level - from.y) / (to.y - from.y)) * (to - from));
    }
    Wet wet;
    for (std::size_t k = 0; k < below.size(); ++k) {
        const Vec3d a = below[k], b = below[(k + 1) % below.size()];
        const double twice = cross(a, b).z;
        wet.area += 0.5 * twice;
        wet.height += twice * (a.y + b.y) / 6;
    }
    wet.height /= std::max(wet.area, 1e-12);
    return wet;
}

// The level over the square's middle at which it displaces its weight.
double floating_level(double density, double angle) {
    double low = -0.71, high = 0.71;
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (low + high);
        (wet_part(angle, middle).area < density ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

// The energy is that of the square's middle over the middle of the water that it displaces.
double best_angle(double density) {
    double best = 0, least = 1e300;
    for (double angle = 0; angle <= 45.001 * degree; angle += 0.05 * degree) {
        const double energy = -wet_part(angle, floating_level(density, angle)).height;
        if (energy < least - 1e-9) least = energy, best = angle;
    }
    return best;
}

TEST(Attitude, ReferenceIsTheKnownOne) {
    for (const double density : {0.1, 0.2, 0.8, 0.9}) EXPECT_NEAR(best_angle(density) / degree, 0, 0.1) << density;
    for (const double density : {0.29, 0.5, 0.71}) EXPECT_NEAR(best_angle(density) / degree, 45, 0.1) << density;
    EXPECT_NEAR(best_angle(0.25) / degree, 26.6, 0.2); // one corner at the water: tan = 1/2
}

struct Square {
    double density; // of the water's
    int across;     // particles
    double start;   // degrees
};

std::string scene(const Square& square) {
    const double d = 1.0 / square.across, width = 3, depth = 2, angle = square.start * degree;
    const double middle = depth - floating_level(square.density, angle);
    const std::string shape =
        fmt::format(R"({{"box": {{"min": [-0.5, -0.5], "max": [0.5, 0.5]}}, "rotate": {{"degrees": {}}},
                         "translate": [{}, {}]}})",
                    square.start, 0.5 * width, middle);
    return fmt::format(
        R"({{"dimensions": 2, "duration": 60, "fps": 20, "particle_radius": {0}, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {{"difference": [{{"box": {{"min": [0, 0], "max": [{1}, {2}]}}}}, {3}]}},
                         "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.1}}}}}},
              "box": {{"shape": {3}, "behaviors": {{"rigid": {{"density": {4}}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [{1}, 5]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        d / 2, width, depth, shape, 1000 * square.density);
}

// By how much the box has turned since the positions of before, by id.
double turned(const Simulation& s, const std::vector<Vec3d>& before) {
    const Pool& pool = s.particles();
    Vec3d now_middle, then_middle;
    double count = 0, along = 0, across = 0;
    const auto each = [&](const auto& visit) {
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (s.scene().bodies[pool[pool.body][i]].name == "box")
                visit(pool[pool.position][i], before[pool[pool.id][i]]);
    };
    each([&](const Vec3d& now, const Vec3d& then) { now_middle += now, then_middle += then, count += 1; });
    each([&](const Vec3d& now, const Vec3d& then) {
        const Vec3d a = then - then_middle / count, b = now - now_middle / count;
        along += dot(a, b), across += cross(a, b).z;
    });
    return std::atan2(across, along);
}

// From the nearest of the four attitudes, or their mirror images, that are alike.
double off_by(double degrees, double expected) {
    double least = 360;
    for (const double best : {expected, -expected})
        least = std::min(least, std::abs(std::remainder(degrees - best, 90)));
    return least;
}

double rest_off_by(const Square& square, double end) {
    const auto s = start(scene(square));
    std::vector<Vec3d> before(s->particles().next_id);
    for (std::size_t i = 0; i < s->particles().size(); ++i)
        before[s->particles()[s->particles().id][i]] = s->particles()[s->particles().position][i];
    const double expected = best_angle(square.density) / degree;
    double sum = 0, count = 0;
    for (double time = 0.5; time <= end + 1e-9; time += 0.5) {
        advance(*s, time);
        const double off = off_by(square.start + turned(*s, before) / degree, expected);
        if (time > end - 1.1) sum += off, count += 1;
        if (show())
            fmt::print("{:.1f} s: {:.2f} degrees, off by {:.2f}\n", time, square.start + turned(*s, before) / degree,
                       off);
    }
    if (show())
        fmt::print("density {} at {} across from {} degrees: {:.2f} degrees off {:.2f}\n", square.density,
                   square.across, square.start, sum / count, expected);
    return sum / count;
}

class Floating : public testing::TestWithParam<Square> {};
TEST_P(Floating, LiesAsItShould) { EXPECT_LT(rest_off_by(GetParam(), 8), 3); }

const auto name = [](const auto& of) {
    return fmt::format("Percent{}From{}With{}", std::lround(100 * of.param.density), std::lround(of.param.start),
                       of.param.across);
};
INSTANTIATE_TEST_SUITE_P(Attitude, Floating,
                         testing::Values(Square{0.15, 15, 12}, Square{0.5, 15, 30}, Square{0.68, 15, 33},
                                         Square{0.87, 15, 12}),
                         name);

class FloatingLong : public testing::TestWithParam<Square> {};
TEST_P(FloatingLong, LiesAsItShould) { EXPECT_LT(rest_off_by(GetParam(), 8), 3); }
INSTANTIATE_TEST_SUITE_P(Attitude, FloatingLong,
                         testing::Values(Square{0.15, 30, 12}, Square{0.25, 30, 20}, Square{0.5, 30, 30},
                                         Square{0.68, 30, 33}, Square{0.87, 30, 12}),
                         name);

} // namespace
} // namespace loam::test
