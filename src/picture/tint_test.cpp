#include "picture/tint.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(Tint, HotThingsGlowRedThenYellow) {
    EXPECT_EQ(luminance(black_body(700)), 0);
    const Color red = black_body(1000), yellow = black_body(1800);
    EXPECT_GT(red.x, 3 * red.y);
    EXPECT_GT(red.y, red.z);
    EXPECT_GT(luminance(yellow), luminance(red));
    EXPECT_GT(yellow.y / yellow.x, red.y / red.x);
}

Scene scene_of(const std::string& solute_color) {
    Scene scene;
    scene.solutes.push_back({"ink", Values(solute_declaration())});
    scene.solutes[0].values.set("color", solute_color);
    BodySpec body;
    body.look = Values(look_declaration());
    body.look.set("melt_color", std::string("#00ff00"));
    body.behaviors = {{"miscible", {}}, {"heat", {}}};
    scene.bodies.push_back(body);
    return scene;
}

TEST(Tint, ColorsFollowWhatIsHeldAndMelted) {
    const Scene scene = scene_of("#000080");
    float ink = 0, melted = 0;
    const Tint tint(scene, 0, [&](const std::string& name) -> Tint::Value {
        if (name == "concentration_ink") return [&](std::size_t) { return ink; };
        if (name == "melted") return [&](std::size_t) { return melted; };
        return {};
    });
    ASSERT_TRUE(tint.colors());
    EXPECT_FALSE(tint.glows());
    const Color white{1, 1, 1};
    EXPECT_NEAR(tint.color(white, 0).x, 1, 1e-6);
    ink = 0.5f;
    EXPECT_LT(tint.color(white, 0).x, tint.color(white, 0).z) << "it is blue";
    ink = 0, melted = 1;
    EXPECT_LT(tint.color(white, 0).x, 0.02f);
    EXPECT_NEAR(tint.color(white, 0).y, 1, 1e-5);
}

} // namespace
} // namespace loam
