#include <numbers>
#include <set>

#include <tbb/global_control.h>

#include "particles/sampling.h"
#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;

TEST(Fill, BoxGetsWholeLattice) {
    const auto points = fill(*box({0.1, 0.2, 0.3}, {0.5, 0.8, 0.5}), 0.02, 3);
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), 20u * 30u * 10u);
    Bounds b;
    for (const Vec3d& p : *points) b.add(p);
    EXPECT_NEAR(length(b.lo - Vec3d{0.11, 0.21, 0.31}), 0, 1e-9);
    EXPECT_NEAR(length(b.hi - Vec3d{0.49, 0.79, 0.49}), 0, 1e-9);
}

TEST(Fill, RectangleIn2D) {
    const auto points = fill(*make("box", {{"max", Vec3d{1, 0.5, 0}}}, {"", 2, 0.01}), 0.01, 2);
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), 100u * 50u);
    for (const Vec3d& p : *points) ASSERT_EQ(p.z, 0);
}

void check_ball(const std::string& lattice, double radius) {
    const auto points = fill(*ball({0.3, 0.1, 0}, radius), 1, 3, {.lattice = lattice});
    ASSERT_TRUE(points);
    const double volume = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
    EXPECT_NEAR(static_cast<double>(points->size()) / volume, 1, 0.015) << lattice << " " << radius;
    double outmost = 0;
    for (const Vec3d& p : *points) outmost = std::max(outmost, length(p - Vec3d{0.3, 0.1, 0}));
    EXPECT_LE(outmost, radius - 0.24); // of the radius 0.5 at most about half sticks out
}

TEST(Volume, IsThatOfTheShapeHoweverCoarse) {
    for (const double radius : {2.0, 3.0, 4.0, 6.5})
        EXPECT_NEAR(volume_of(*ball({0.3, 0.1, 0}, radius), 1, 3) / (4.0 / 3 * std::numbers::pi * std::pow(radius, 3)),
                    1, 0.01);
    EXPECT_NEAR(volume_of(*box({0.1, 0.2, 0.3}, {0.5, 0.8, 0.5}), 0.1, 3), 0.4 * 0.6 * 0.2, 1e-9);
    EXPECT_NEAR(volume_of(*make("box", {{"max", Vec3d{1, 0.5, 0}}}, {"", 2, 0.1}), 0.1, 2), 0.5, 1e-9);
}

TEST(Fill, BallKeepsItsVolume) {
    for (const double radius : {10.0, 12.3, 17.7, 25.0})
        for (const char* lattice : {"cubic", "hexagonal"}) check_ball(lattice, radius);
}

TEST(Fill, DiscKeepsItsArea) {
    for (const char* lattice : {"cubic", "hexagonal"}) {
        const auto points = fill(*make("circle", {{"radius", 20.0}}, {"", 2, 1}), 1, 2, {.lattice = lattice});
        ASSERT_TRUE(points);
        EXPECT_NEAR(static_cast<double>(points->size()) / (400 * std::numbers::pi), 1, 0.015);
    }
}

TEST(Fill, HexagonalHasTwelveNeighbors) {
    const auto points = fill(*box({0, 0, 0}, {8, 8, 8}), 1, 3, {.lattice = "hexagonal"});
    ASSERT_TRUE(points);
    const Vec3d middle = *std::min_element(points->begin(), points->end(), [](const Vec3d& a, const Vec3d& b) {
        return length(a - Vec3d{4, 4, 4}) < length(b - Vec3d{4, 4, 4});
    });
    int near = 0;
    for (const Vec3d& p : *points) near += length(p - middle) < 1.13 ? 1 : 0;
    EXPECT_EQ(near, 13); // and itself
}

TEST(Fill, JitterStaysInsideAndFollowsTheSeed) {
    const ShapePtr shape = ball({0, 0, 0}, 0.3);
    const auto a = fill(*shape, 0.02, 3, {.jitter = 0.3, .seed = 1}),
               b = fill(*shape, 0.02, 3, {.jitter = 0.3, .seed = 1});
    const auto c = fill(*shape, 0.02, 3, {.jitter = 0.3, .seed = 2}), regular = fill(*shape, 0.02, 3);
    ASSERT_TRUE(a && b && c && regular);
    EXPECT_EQ(*a, *b);
    EXPECT_NE(*a, *c);
    EXPECT_EQ(a->size(), regular->size());
    double mean = 0;
    for (std::size_t i = 0; i < a->size(); ++i) {
        EXPECT_LT(shape->distance((*a)[i]), -0.2 * 0.02);
        mean += length((*a)[i] - (*regular)[i]) / static_cast<double>(a->size());
    }
    EXPECT_NEAR(mean, 0.3 * 0.02 * 0.96, 0.1 * 0.02); // mean distance within a cube of half size 1 is 0.96
}

TEST(Fill, SameForAnyNumberOfThreads) {
    const ShapePtr shape = subtract(ball({0, 0, 0}, 0.5), {box({0, 0, 0}, {1, 1, 1})});
    std::vector<std::vector<Vec3d>> results;
    for (const std::size_t threads : {1, 2, 3}) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        results.push_back(*fill(*shape, 0.02, 3, {.jitter = 0.1, .seed = 5}));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(Fill, RefusesWhatCannotBe) {
    EXPECT_NE(fill(*invert(ball({}, 1)), 0.1, 3).error().what.find("no end"), std::string::npos);
    EXPECT_NE(fill(*ball({}, 1), 1e-4, 3).error().what.find("200 million"), std::string::npos);
    EXPECT_NE(fill(*ball({}, 1), 1e-300, 3).error().what.find("200 million"), std::string::npos);
    const ShapePtr nothing = intersect({ball({}, 1), ball({5, 0, 0}, 1)});
    EXPECT_NE(fill(*nothing, 0.1, 3).error().what.find("no particle fits"), std::string::npos);
    EXPECT_FALSE(fill(*ball({}, 1), 0, 3));
    // Thin, but a particle fits in the middle.
    EXPECT_EQ(fill(*box({0, 0, 0}, {1, 0.05, 1}), 0.1, 3)->size(), 100u);
}

} // namespace
} // namespace loam
