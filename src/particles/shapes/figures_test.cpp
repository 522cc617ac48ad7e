#include <filesystem>
#include <fstream>

#include "particles/sampling.h"
#include "particles/shapes/height_file.h"
#include "particles/shapes/noise.h"
#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;

const ShapeContext coarse{"", 3, 0.03};

TEST(Figures, CanBeFilledAndStandOnTheirBase) {
    for (const char* name : {"dragon", "duck", "bunny"}) {
        const ShapePtr figure =
            make("figure", {{"name", std::string(name)}, {"base", Vec3d{1, 2, 3}}, {"heading", 30.0}}, coarse);
        const auto points = fill(*figure, coarse.spacing, 3);
        ASSERT_TRUE(points) << name << points.error().text();
        EXPECT_GT(points->size(), 1000u) << name;
        double lowest = 1e300;
        for (const auto& [p, share] : *points) lowest = std::min(lowest, p.y);
        EXPECT_NEAR(lowest, 2, 2 * coarse.spacing) << name;
    }
}

TEST(Figures, HeadingTurnsTheDuck) {
    const ShapePtr ahead = make("figure", {{"name", std::string("duck")}}, coarse);
    const ShapePtr left = make("figure", {{"name", std::string("duck")}, {"heading", 90.0}}, coarse);
    EXPECT_LT(ahead->distance({0.25, 0.62, 0}), -0.1); // in its head
    EXPECT_GT(ahead->distance({0, 0.62, -0.25}), 0.05);
    EXPECT_LT(left->distance({0, 0.62, -0.25}), -0.1);
}

TEST(Figures, FountainHoldsWater) {
    const ShapePtr fountain = make("fountain", {}, coarse);
    const auto points = cover(*fountain, coarse.spacing, 0.5 * coarse.spacing, 1, 3);
    ASSERT_TRUE(points);
    EXPECT_GT(points->size(), 1500u);
    EXPECT_LT(fountain->distance({0.2, 0.015, 0}), 0);  // floor of the basin
    EXPECT_GT(fountain->distance({0.3, 0.1, 0}), 0.02); // room for water
    EXPECT_LT(fountain->distance({0.485, 0.1, 0}), 0);  // wall
    EXPECT_GT(fountain->distance({0.2, 0.46, 0}), 0.02);
    EXPECT_EQ(try_make("fountain", {{"size", 0.1}}, coarse).error().where, "thickness");
}

TEST(Figures, RocksLieInTheirBoxAndFollowTheSeed) {
    const Given given{{"max", Vec3d{1, 0.6, 0.8}}, {"count", 12.0}};
    const ShapePtr rocks = make("rocks", given, coarse);
    Given other = given;
    other.emplace_back("seed", 2.0);
    const auto points = fill(*rocks, coarse.spacing, 3), same = fill(*make("rocks", given, coarse), coarse.spacing, 3);
    ASSERT_TRUE(points && same);
    EXPECT_EQ(*points, *same);
    EXPECT_NE(*points, *fill(*make("rocks", other, coarse), coarse.spacing, 3));
    const Bounds box = Bounds{{0, 0, 0}, {1, 0.6, 0.8}}.grown(0.06);
    for (const auto& [p, share] : *points) ASSERT_TRUE(box.contains(p));
    EXPECT_EQ(try_make("rocks", {{"size", 9.0}}, coarse).error().where, "size");
}

TEST(Figures, RocksOfA2DSceneAreCutThroughTheirMiddle) {
    const ShapeContext flat{"", 2, coarse.spacing};
    const auto points = fill(*make("rocks", {{"max", Vec3d{1, 0.6, 0}}, {"count", 5.0}}, flat), flat.spacing, 2);
    ASSERT_TRUE(points);
    double widest = 0;
    for (const auto& [p, share] : *points) widest = std::max(widest, p.x);
    EXPECT_GT(points->size(), 10u);
    EXPECT_GT(widest, 0.5);
}

TEST(HeightField, FollowsItsFile) {
    const std::string path = testing::TempDir() + "loam_heights.txt";
    std::ofstream(path) << "# a ramp along x\n0 1 2 3\n0 1 2 3\n0 1 2 3\n";
    const ShapePtr ramp = make("heightfield",
                               {{"min", Vec3d{0, 0.5, 0}},
                                {"max", Vec3d{3, 0, 2}},
                                {"amplitude", 0.1},
                                {"file", std::string("loam_heights.txt")}},
                               {testing::TempDir(), 3, 0.05});
    std::filesystem::remove(path);
    EXPECT_NEAR(ramp->distance({1.5, 0.65, 1}), 0, 1e-6);
    EXPECT_NEAR(ramp->distance({1.5, 0.75, 1}), 0.1 / std::sqrt(1.01), 1e-6);
    EXPECT_NEAR(ramp->normal({1.5, 0.7, 1}).x, -0.1 / std::sqrt(1.01), 1e-6);
    EXPECT_FALSE(ramp->bounded());
    EXPECT_TRUE(ramp->on_patch({1, 0, 1}));
    EXPECT_FALSE(ramp->on_patch({-0.1, 0, 1}));
}

TEST(HeightField, ProceduralTerrainHasItsValley) {
    const Given given{
        {"min", Vec3d{0, 1, 0}}, {"max", Vec3d{4, 0, 2}}, {"amplitude", 0.05}, {"valley", 0.5}, {"slope", 0.1}};
    const ShapePtr land = make("heightfield", given, {"", 3, 0.05});
    const auto height = [&](double x, double z) {
        double lo = -5, hi = 5;
        for (int i = 0; i < 60; ++i) (land->distance({x, 0.5 * (lo + hi), z}) < 0 ? lo : hi) = 0.5 * (lo + hi);
        return lo;
    };
    EXPECT_LT(height(2, 1), height(2, 0.05) - 0.3);
    EXPECT_NEAR(height(0.2, 1) - height(3.8, 1), 0.36, 0.1);
}

TEST(HeightField, BadFilesAreRefused) {
    EXPECT_EQ(parse_heights("1 2\n3 x\n", "h").error().where, "h:2");
    EXPECT_EQ(parse_heights("1 2\n3\n", "h").error().where, "h:2");
    EXPECT_FALSE(parse_heights("", "h"));
    EXPECT_FALSE(parse_heights("P5 4 4 255\nabc", "h"));
    EXPECT_FALSE(parse_heights("P5 99999999 4 255\n", "h"));
    EXPECT_FALSE(parse_heights("P5", "h"));
    const auto picture = parse_heights("P5 # x\n2 2 255\n\x01\x02\x03\xff", "h");
    ASSERT_TRUE(picture) << picture.error().text();
    EXPECT_FLOAT_EQ(picture->at(1, 1), 1);
    const auto text = parse_heights("P2 2 2 4 0 1 2 4", "h");
    ASSERT_TRUE(text);
    EXPECT_FLOAT_EQ(text->at(1, 0), 0.25f);
}

TEST(Noise, IsSmoothAndBounded) {
    Sequence random(8);
    double low = 0, high = 0;
    for (int i = 0; i < 5000; ++i) {
        const Vec3d p = random_in(random, {{-9, -9, -9}, {9, 9, 9}});
        const double v = gradient_noise(p, 3);
        low = std::min(low, v), high = std::max(high, v);
        EXPECT_NEAR(v, gradient_noise(p + Vec3d{1e-5, 0, 0}, 3), 1e-4);
    }
    EXPECT_GT(high, 0.5);
    EXPECT_LT(high, 1.3);
    EXPECT_LT(low, -0.5);
    EXPECT_GT(low, -1.3);
}

} // namespace
} // namespace loam
