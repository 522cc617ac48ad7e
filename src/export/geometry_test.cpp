#include "export/geometry.h"

#include <gtest/gtest.h>

#include "export/format.h"

namespace loam {
namespace {

// A full particle, one of an eighth, and one of which nothing is left.
Frame three_sizes() {
    Frame frame;
    frame.header = {.particle_radius = 0.05, .bodies = {"water"}, .particle_volume = 0.9e-3};
    const auto position = frame.columns.declare<Float4>({.name = "position", .unit = "m"});
    const auto body = frame.columns.declare<std::uint32_t>({.name = "body"});
    const auto volume = frame.columns.declare<float>({.name = "volume", .unit = "m^3"});
    frame.columns.resize(3);
    const float volumes[] = {0.9e-3f, 0.9e-3f / 8, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        frame.columns[position][i] = {static_cast<float>(i), 0, 0, 0};
        frame.columns[body][i] = 0;
        frame.columns[volume][i] = volumes[i];
    }
    return frame;
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
}

TEST(ExportPoints, RadiiGoWithVolumes) {
    const Result<Geometry> points = points_of(three_sizes(), {.bodies = {}, .columns = {}, .all_columns = true});
    ASSERT_TRUE(points) << points.error().text();
    ASSERT_EQ(points->radii.size(), 3u);
    EXPECT_FLOAT_EQ(points->radii[0], 0.05f);
    EXPECT_FLOAT_EQ(points->radii[1], 0.025f);
    EXPECT_EQ(points->radii[2], 0);
    ASSERT_EQ(points->columns.size(), 1u);
    EXPECT_EQ(points->columns[0].name, "volume");
    EXPECT_EQ(points->columns[0].values[1], 0.9e-3f / 8);
}

TEST(ExportPoints, PovRayGetsOnlySpheresThatItTakes) {
    Result<Geometry> points = points_of(three_sizes(), {});
    ASSERT_TRUE(points) << points.error().text();
    points->view = {{0, -1, -1}, {2, 1, 1}};
    const Result<std::string> scene = encode_pov(*points);
    ASSERT_TRUE(scene);
    EXPECT_EQ(count(*scene, "\nsphere { "), 2u);
}

} // namespace
} // namespace loam
