#include "picture/stage.h"

#include <gtest/gtest.h>

#include "run/load.h"

namespace loam {
namespace {

Scene scene_of(const std::string& look) {
    const std::string text = R"({"duration": 1, "fps": 10, "particle_radius": 0.05, "bodies": {"heap": {
        "shape": {"box": {"min": [0, 0, 0], "max": [0.8, 0.4, 0.8]}}, "behaviors": {"fluid": {}}, "look": )" +
                             look + "}}}";
    return *read_scene(text, "scene.json", known_registries());
}

// A heap of 8 x 4 x 8 particles.
Frame heap(float saturation) {
    Frame frame;
    frame.header = {.frame = 0, .time = 0, .dimensions = 3, .particle_radius = 0.05, .bodies = {"heap"}};
    const auto id = frame.columns.declare<std::uint32_t>({.name = "id", .output = true});
    const auto body = frame.columns.declare<std::uint32_t>({.name = "body", .output = true});
    const auto position = frame.columns.declare<Float4>({.name = "position", .output = true});
    const auto wet = frame.columns.declare<float>({.name = "saturation", .output = true});
    frame.columns.resize(256);
    for (std::uint32_t i = 0; i < 256; ++i) {
        frame.columns[id][i] = i, frame.columns[body][i] = 0, frame.columns[wet][i] = saturation;
        frame.columns[position][i] = {0.05f + 0.1f * float(i % 8), 0.05f + 0.1f * float(i / 64),
                                      0.05f + 0.1f * float(i / 8 % 8), 0};
    }
    return frame;
}

// What is met from above, at many places: the mean color, and how much of it is a mesh.
struct Met {
    float bright = 0, roughness = 0;
};
Met met_from_above(const std::string& look, float saturation) {
    const Scene scene = scene_of(look);
    const Frame frame = heap(saturation);
    PictureStage stage(scene, crowd_bounds(frame), {});
    const Result<World> world = stage.world_at(frame);
    EXPECT_TRUE(world) << world.error().text();
    Met met;
    constexpr int along = 16;
    for (int k = 0; k < along * along; ++k) {
        const float x = 0.2f + 0.4f * float(k % along) / along, z = 0.2f + 0.4f * float(k / along) / along;
        const auto hit = world->nearest({{x, 2, z}, {0, -1, 0}});
        if (!hit) continue;
        met.bright += luminance(hit->color) / (along * along);
        met.roughness += (1 - hit->outward.y) / (along * along);
    }
    return met;
}

TEST(Stage, WetSandIsDarkerAndSmoother) {
    for (const char* look : {R"({"material": "grains"})", R"({"material": "sand"})"}) {
        const Met dry = met_from_above(look, 0), moist = met_from_above(look, 0.5f), wet = met_from_above(look, 1);
        EXPECT_GT(dry.roughness, 0.1f);  // round grains
        EXPECT_LT(wet.roughness, 0.05f); // a mesh
        EXPECT_LT(wet.bright, 0.6f * dry.bright);
        EXPECT_LT(moist.bright, dry.bright);
    }
}

} // namespace
} // namespace loam
