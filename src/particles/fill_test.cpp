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
    for (const auto& [p, share] : *points) {
        b.add(p);
        ASSERT_EQ(share, 1);
    }
    EXPECT_NEAR(length(b.lo - Vec3d{0.11, 0.21, 0.31}), 0, 1e-9);
    EXPECT_NEAR(length(b.hi - Vec3d{0.49, 0.79, 0.49}), 0, 1e-9);
}

TEST(Fill, RectangleIn2D) {
    const auto points = fill(*make("box", {{"max", Vec3d{1, 0.5, 0}}}, {"", 2, 0.01}), 0.01, 2);
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), 100u * 50u);
    for (const FillPoint& point : *points) ASSERT_EQ(point.position.z, 0);
}

void check_ball(const std::string& lattice, double radius) {
    const auto points = fill(*ball({0.3, 0.1, 0}, radius), 1, 3, {.lattice = lattice});
    ASSERT_TRUE(points);
    const double volume = 4.0 / 3 * std::numbers::pi * std::pow(radius, 3);
    double outmost = 0, sum = 0;
    for (const auto& [p, share] : *points) sum += share, outmost = std::max(outmost, length(p - Vec3d{0.3, 0.1, 0}));
    EXPECT_NEAR(sum / volume, 1, 0.001) << lattice << " " << radius;
    EXPECT_LE(outmost, radius - 0.15); // the smallest are a third of a full one
}

// Each with its volume and center, from closed forms.
struct Solid {
    const char* name;
    ShapePtr shape;
    double volume;
    Vec3d center;
    int dimensions = 3;
};

std::vector<Solid> solids() {
    constexpr double pi = std::numbers::pi;
    const Placement askew{.translation = {3, -2, 1}, .axis = normalized(Vec3d{1, 2, -1}), .angle = 0.6};
    const Vec3d corner{5.3, 6.7, 4.45};
    const ShapeContext flat{"", 2, 1};
    std::vector<Solid> all{
        {"box", box({0.2, 0, 0}, Vec3d{0.2, 0, 0} + corner), corner.x * corner.y * corner.z,
         Vec3d{0.2, 0, 0} + 0.5 * corner},
        {"turned box", place(box({}, corner), askew), corner.x * corner.y * corner.z, askew.apply(0.5 * corner)},
        {"plate", box({0, 0, 0}, {9.4, 0.3, 7.1}), 9.4 * 0.3 * 7.1, {4.7, 0.15, 3.55}},
        {"cylinder",
         make("cylinder", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{2, 5, 1}}, {"radius", 3.3}}),
         pi * 3.3 * 3.3 * std::sqrt(30.0),
         {1, 2.5, 0.5}},
        {"cone",
         make("cone", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0, 9, 0}}, {"radius_from", 4.2}, {"radius_to", 0.0}}),
         pi * 4.2 * 4.2 * 9 / 3,
         {0, 2.25, 0}},
        {"block without a corner",
         subtract(box({0, 0, 0}, {8, 8, 8}), {box({3.3, 3.3, 3.3}, {9, 9, 9})}),
         512 - std::pow(4.7, 3),
         {}},
        {"skin", hollow(ball({}, 6), 1.4), 4.0 / 3 * pi * (216 - std::pow(4.6, 3)), {}},
        {"disc",
         make("circle", {{"center", Vec3d{0.4, 0.1, 0}}, {"radius", 3.4}}, flat),
         pi * 3.4 * 3.4,
         {0.4, 0.1, 0},
         2},
        {"turned rectangle", place(make("box", {{"max", Vec3d{7.4, 3.2, 0}}}, flat), {.axis = {0, 0, 1}, .angle = 0.5}),
         7.4 * 3.2, Placement{.axis = {0, 0, 1}, .angle = 0.5}.apply({3.7, 1.6, 0}), 2},
    };
    all[5].center = (512 * Vec3d{4, 4, 4} - std::pow(4.7, 3) * Vec3d{5.65, 5.65, 5.65}) / all[5].volume;
    for (const double radius : {2.3, 3.0, 4.1})
        all.push_back({"ball", ball({0.3, 0.1, 0}, radius), 4.0 / 3 * pi * std::pow(radius, 3), {0.3, 0.1, 0}});
    return all;
}

TEST(Fill, PointsHaveTheVolumeAndCenterOfTheShape) {
    for (const char* lattice : {"cubic", "hexagonal"})
        for (const Solid& solid : solids()) {
            const auto points = fill(*solid.shape, 1, solid.dimensions, {.lattice = lattice});
            ASSERT_TRUE(points);
            double volume = 0;
            Vec3d first;
            for (const auto& [p, share] : *points) volume += share, first += share * p;
            EXPECT_NEAR(volume / solid.volume, 1, 0.004) << solid.name << " " << lattice;
            EXPECT_NEAR(length(first / volume - solid.center), 0, 0.006) << solid.name << " " << lattice;
        }
}

TEST(Fill, NoPointStandsForMuchMoreThanAnother) {
    for (const Solid& solid : solids()) {
        const auto points = fill(*solid.shape, 1, solid.dimensions);
        ASSERT_TRUE(points);
        for (const auto& [p, share] : *points) {
            EXPECT_LT(solid.shape->distance(p), 0) << solid.name;
            EXPECT_LT(share, 2.2) << solid.name;
            EXPECT_GT(share, solid.name == std::string("cone") ? 0.05 : 0.2) << solid.name; // its tip
        }
    }
}

TEST(Fill, TurnedBoxIsFilledAsTheUnturnedOne) {
    const Placement askew{.translation = {3, -2, 1}, .axis = normalized(Vec3d{1, 2, -1}), .angle = 0.6, .scale = 1.5};
    const ShapePtr upright = box({0.1, 0, 0}, {5.35, 4, 7.8});
    const auto before = fill(*upright, 1 / askew.scale, 3), turned = fill(*place(upright, askew), 1, 3);
    ASSERT_TRUE(before && turned);
    ASSERT_EQ(before->size(), turned->size());
    for (std::size_t i = 0; i < before->size(); ++i) {
        ASSERT_NEAR(length((*turned)[i].position - askew.apply((*before)[i].position)), 0, 1e-12);
        ASSERT_EQ((*turned)[i].share, (*before)[i].share);
    }
}

TEST(Fill, BallKeepsItsVolume) {
    for (const double radius : {10.0, 12.3, 17.7, 25.0})
        for (const char* lattice : {"cubic", "hexagonal"}) check_ball(lattice, radius);
}

TEST(Fill, HexagonalHasTwelveNeighbors) {
    const auto points = fill(*box({0, 0, 0}, {8, 8, 8}), 1, 3, {.lattice = "hexagonal"});
    ASSERT_TRUE(points);
    const Vec3d middle = std::min_element(points->begin(), points->end(), [](const FillPoint& a, const FillPoint& b) {
                             return length(a.position - Vec3d{4, 4, 4}) < length(b.position - Vec3d{4, 4, 4});
                         })->position;
    int near = 0;
    for (const auto& [p, share] : *points) near += length(p - middle) < 1.25 ? 1 : 0;
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
        EXPECT_LT(shape->distance((*a)[i].position), -0.2 * 0.02);
        EXPECT_EQ((*a)[i].share, (*regular)[i].share);
        mean += length((*a)[i].position - (*regular)[i].position) / static_cast<double>(a->size());
    }
    EXPECT_NEAR(mean, 0.3 * 0.02 * 0.96, 0.1 * 0.02); // mean distance within a cube of half size 1 is 0.96
}

TEST(Fill, SameForAnyNumberOfThreads) {
    const ShapePtr shape = subtract(ball({0, 0, 0}, 0.5), {box({0, 0, 0}, {1, 1, 1})});
    std::vector<std::vector<FillPoint>> results;
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
