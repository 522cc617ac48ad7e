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

// A block that is elastic where it is not melted: its left half has melted.
Frame half_melted(const Scene& scene) {
    Frame frame = heap(0);
    frame.header.bodies.clear();
    for (const BodySpec& body : scene.bodies) frame.header.bodies.push_back(body.name);
    const auto melted = frame.columns.declare<float>({.name = "melted", .output = true});
    const auto velocity = frame.columns.declare<Float4>({.name = "velocity", .output = true});
    const auto position = frame.columns.find("position");
    auto* const at = reinterpret_cast<Float4*>(frame.columns.bytes(position));
    const auto filled = *fill_body(scene, scene.bodies[0]); // in the order of ids
    EXPECT_EQ(filled.size(), frame.columns.size());
    for (std::size_t i = 0; i < frame.columns.size(); ++i) {
        at[i] = float4(filled[i].position);
        frame.columns[melted][i] = at[i].x < 0.4f ? 1.0f : 0.0f;
        frame.columns[velocity][i] = {};
    }
    return frame;
}
std::string melting(const std::string& look, const std::string& more) {
    return R"({"duration": 1, "fps": 10, "particle_radius": 0.05, "bodies": {"heap": {
        "shape": {"box": {"min": [0, 0, 0], "max": [0.8, 0.4, 0.8]}}, "temperature": 300, "behaviors": {"fluid": {},
          "elastic": {"weight": {"over": "melted", "keys": [[0, 1], [1, 0]]}},
          "heat": {"solidus": 310, "liquidus": 320, "latent_heat": 1000}}, "look": )" +
           look + "}" + more + "}}";
}

// What is mostly there, first.
Hit seen_from_above(const World& world, float x) {
    Ray ray{{x, 2, 0.4f}, {0, -1, 0}};
    while (const auto hit = world.nearest(ray)) {
        if (hit->opacity > 0.5f) return *hit;
        ray.begin = hit->distance + 1e-4f;
    }
    return {};
}

// Lenaerts 7.5: a blend of both meshes. Where it is solid the top is flat up to the edge, as its shape is.
TEST(Stage, AMeshOfItsOwnFadesIntoTheSurfaceWhereABodyMelts) {
    const Scene scene = *read_scene(melting("{}", ""), "scene.json", known_registries());
    const Frame frame = half_melted(scene);
    PictureStage stage(scene, crowd_bounds(frame), {});
    const Result<World> world = stage.world_at(frame);
    ASSERT_TRUE(world) << world.error().text();
    // From above, within a particle of the edges: the surface of particles is round there, the shape is not.
    const auto height = [&](float x) { return 2 - seen_from_above(*world, x).distance; };
    EXPECT_NEAR(height(0.6f), 0.4f, 0.01f);
    EXPECT_NEAR(height(0.785f), 0.4f, 0.01f) << "crisp where it is solid";
    EXPECT_LT(height(0.015f), 0.39f) << "round where it has melted";
    EXPECT_NEAR(height(0.2f), 0.4f, 0.05f);
}

// What has melted belongs to the fluid that the body joins.
TEST(Stage, WhatHasMeltedIsShownByTheFluidThatItJoins) {
    const std::string water =
        R"(, "water": {"shape": {"box": {"min": [-9, 0, 0], "max": [-8, 1, 1]}}, "behaviors": {"fluid": {}}})";
    const Scene scene =
        *read_scene(melting(R"({"material": "matte", "joins": "water"})", water), "scene.json", known_registries());
    const Frame frame = half_melted(scene);
    PictureStage stage(scene, crowd_bounds(frame), {});
    const Result<World> world = stage.world_at(frame);
    ASSERT_TRUE(world) << world.error().text();
    const auto at = [&](float x) { return seen_from_above(*world, x).material->kind; };
    EXPECT_EQ(at(0.2f), Material::Kind::clear);
    EXPECT_EQ(at(0.6f), Material::Kind::solid);
    const auto wrong = read_scene(melting(R"({"joins": "heap"})", water), "scene.json", known_registries());
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().text().find("bodies.heap.look.joins"), std::string::npos) << wrong.error().text();
    const auto nobody = read_scene(melting(R"({"joins": "watr"})", water), "scene.json", known_registries());
    ASSERT_FALSE(nobody);
    EXPECT_NE(nobody.error().text().find("water"), std::string::npos) << nobody.error().text();
}

} // namespace
} // namespace loam
