#include "particles/moments.h"

#include <numbers>

#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;

void expect_spread(const Moments& m, const Vec3d& per_volume, double tolerance) {
    for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
            EXPECT_NEAR(m.spread.row[r][c] / m.volume, r == c ? per_volume[r] : 0, tolerance * length(per_volume));
}

TEST(Moments, OfABoxAreExactHoweverCoarse) {
    const Moments m = moments_of(*box({0.1, 0.2, 0.3}, {0.5, 0.83, 0.55}), 0.1, 3);
    EXPECT_NEAR(m.volume, 0.4 * 0.63 * 0.25, 1e-12);
    EXPECT_NEAR(length(m.center - Vec3d{0.3, 0.515, 0.425}), 0, 1e-12);
    expect_spread(m, {0.4 * 0.4 / 12, 0.63 * 0.63 / 12, 0.25 * 0.25 / 12}, 1e-9);
}

TEST(Moments, OfATurnedBoxAreThoseOfTheUnturnedOne) {
    const Placement quarter{.translation = {1, 2, 3}, .axis = {0, 0, 1}, .angle = 0.5 * pi, .scale = 2};
    const Moments m = moments_of(*place(box({0, 0, 0}, {0.4, 0.6, 0.2}), quarter), 0.1, 3);
    EXPECT_NEAR(m.volume, 8 * 0.4 * 0.6 * 0.2, 1e-12);
    EXPECT_NEAR(length(m.center - Vec3d{0.4, 2.4, 3.2}), 0, 1e-12);
    expect_spread(m, {1.2 * 1.2 / 12, 0.8 * 0.8 / 12, 0.4 * 0.4 / 12}, 1e-9);
}

TEST(Moments, OfRoundThings) {
    for (const double radius : {0.7, 2.0, 3.0, 6.5}) {
        const Moments m = moments_of(*ball({0.3, 0.1, 100}, radius), 1, 3);
        EXPECT_NEAR(m.volume / (4.0 / 3 * pi * std::pow(radius, 3)), 1, 2e-3);
        EXPECT_NEAR(length(m.center - Vec3d{0.3, 0.1, 100}), 0, 1e-9);
        const double each = radius * radius / 5;
        expect_spread(m, {each, each, each}, 2e-3);
    }
    const Moments cone = moments_of(
        *make("cone", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0, 4, 0}}, {"radius_from", 3.0}, {"radius_to", 0.0}}), 1,
        3);
    EXPECT_NEAR(cone.volume / (pi * 9 * 4 / 3), 1, 2e-3);
    EXPECT_NEAR(length(cone.center - Vec3d{0, 1, 0}), 0, 2e-3);
    expect_spread(cone, {3.0 / 20 * 9, 3.0 / 80 * 16, 3.0 / 20 * 9}, 3e-3);
}

TEST(Moments, InAPlane) {
    const ShapeContext flat{"", 2, 0.1};
    const Moments m = moments_of(*make("box", {{"max", Vec3d{1, 0.5, 0}}}, flat), 0.1, 2);
    EXPECT_NEAR(m.volume, 0.5, 1e-12);
    expect_spread(m, {1.0 / 12, 0.25 / 12, 0}, 1e-9);
    const Moments disc = moments_of(*make("circle", {{"radius", 0.33}}, flat), 0.1, 2);
    EXPECT_NEAR(disc.volume / (pi * 0.33 * 0.33), 1, 1e-3);
    expect_spread(disc, {0.33 * 0.33 / 4, 0.33 * 0.33 / 4, 0}, 2e-3);
}

} // namespace
} // namespace loam
