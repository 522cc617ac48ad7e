// Right scenes: what is read is what was written. Wrong ones are in scene_errors_test.cpp.
#include "scene/scene.h"

#include <gtest/gtest.h>

#include "scene/test_registries.h"
#include "scene/test_scenes.h"

namespace loam {
namespace {

Result<Scene> read(const std::string& text, const SceneOptions& options = {}) {
    static const test::SomeRegistries registries;
    return read_scene(text, "folder/scene.json", registries.view(), options);
}

Scene must_read(const std::string& text, const SceneOptions& options = {}) {
    Result<Scene> scene = read(text, options);
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    return scene ? *scene : Scene{};
}

TEST(Scene, SmallSceneGetsDefaults) {
    const Scene scene = must_read(test::dam_break);
    EXPECT_EQ(scene.values.text("title"), "dam break");
    EXPECT_EQ(scene.dimensions(), 3);
    EXPECT_EQ(scene.radius(), 0.02);
    EXPECT_EQ(scene.frame_count(), 50u);
    EXPECT_EQ(scene.pressure, "dfsph");
    EXPECT_EQ(scene.solver.text("kernel"), "cubic");
    EXPECT_EQ(scene.solver.number("volume_error"), 1e-4);
    EXPECT_EQ(scene.domain.vector("max").y, std::numeric_limits<double>::infinity());
    ASSERT_EQ(scene.behaviors.size(), 1u);
    EXPECT_EQ(scene.behaviors[0].values.vector("acceleration"), (Vec3d{0, -9.81, 0}));
    ASSERT_EQ(scene.bodies.size(), 2u);
    EXPECT_EQ(scene.bodies[0].name, "water");
    EXPECT_FALSE(scene.bodies[0].boundary);
    EXPECT_EQ(scene.bodies[0].behaviors[0].values.number("density"), 1000);
    ASSERT_TRUE(scene.bodies[1].boundary);
    EXPECT_EQ(scene.bodies[1].boundary->values.text("slip"), "no");
    EXPECT_FALSE(scene.bodies[1].boundary->motion.moves());
    EXPECT_FALSE(scene.bodies[1].shape->bounded());
}

TEST(Scene, EveryBlockIsRead) {
    const Scene scene = must_read(test::everything);
    EXPECT_EQ(scene.pressure, "wcsph");
    EXPECT_EQ(scene.pressure_values.text("equation"), "linear");
    EXPECT_EQ(scene.solver.number("volume_error"), 0.01) << "the pressure solver's own default";
    EXPECT_EQ(scene.pressure_values.number("volume_error"), 0.01);
    EXPECT_TRUE(scene.periodic(0) && !scene.periodic(1) && scene.periodic(2));
    EXPECT_EQ(scene.domain.vector("min").x, 0);
    EXPECT_EQ(scene.domain.vector("min").y, -std::numeric_limits<double>::infinity());
    EXPECT_EQ(scene.behaviors[0].values.vector("acceleration"), (Vec3d{0, -3, 0}));
    const BodySpec& milk = scene.bodies.at(0);
    EXPECT_EQ(milk.behaviors.at(1).values.integer("passes"), 3);
    EXPECT_EQ(milk.values.text("lattice"), "hexagonal");
    const EmitterSpec& nozzle = milk.emitters.at(0);
    EXPECT_EQ(nozzle.name, "nozzle");
    EXPECT_EQ(nozzle.values.vector("direction"), (Vec3d{0, -1, 0})) << "made a unit vector";
    EXPECT_TRUE(nozzle.shape);
    const Motion& motion = scene.bodies.at(1).boundary->motion;
    EXPECT_EQ(motion.axis, (Vec3d{0, 0, 1}));
    EXPECT_EQ(motion.angle.keys.at(1).value.x, 90);
    EXPECT_EQ(motion.angle.keys.at(1).in.value, 5);
    EXPECT_EQ(motion.translation.keys.at(1).to_next, Interpolation::smooth);
    EXPECT_TRUE(motion.moves());
    ASSERT_EQ(scene.drains.size(), 2u);
    EXPECT_EQ(scene.drains[0].bodies, std::vector<std::string>{"milk"});
    EXPECT_TRUE(scene.drains[1].bodies.empty());
}

TEST(Scene, ABodysOwnBehaviorReplacesTheCommonOne) {
    const Scene scene =
        must_read(test::dam_break, {.overrides = {"bodies.water.behaviors.gravity.acceleration=[0,-1]"}});
    const std::vector<BehaviorUse> uses = behaviors_of(scene, scene.bodies.at(0));
    ASSERT_EQ(uses.size(), 2u); // fluid and one gravity
    EXPECT_EQ(uses[1].values.vector("acceleration"), (Vec3d{0, -1, 0}));
    EXPECT_EQ(behaviors_of(scene, scene.bodies.at(1)).at(0).values.vector("acceleration"), (Vec3d{0, -9.81, 0}));
}

TEST(Scene, FlatSceneTurnsAboutZ) {
    const Scene scene = must_read(test::flat);
    EXPECT_EQ(scene.dimensions(), 2);
    EXPECT_EQ(scene.bodies.at(1).boundary->motion.axis, (Vec3d{0, 0, 1}));
}

TEST(Scene, QualityMergesAndOverridesWin) {
    const Scene preview = must_read(test::everything, {.quality = "preview"});
    EXPECT_EQ(preview.radius(), 0.02);
    EXPECT_EQ(preview.solver.number("time_step"), 0) << "null removes";
    EXPECT_EQ(preview.solver.number("cfl"), 0.3) << "the rest of the block stays";
    EXPECT_EQ(preview.pressure_values.text("equation"), "tait");
    const Scene finer = must_read(test::everything, {.overrides = {"particle_radius=0.005"}, .quality = "preview"});
    EXPECT_EQ(finer.radius(), 0.005);
}

TEST(Scene, OverridesReachEverywhere) {
    const Scene scene = must_read(
        test::dam_break,
        {.overrides = {"bodies.water.behaviors.fluid.density=800", "solver.pressure=wcsph", "title=a=b",
                       "solver.wcsph.equation=linear", "bodies.tank.boundary.motion.velocity=[1,0,0]",
                       "bodies.water.shape.box.max.1=3", "bodies.tank.shape.invert=null",
                       R"(bodies.ball={"shape": {"sphere": {}}, "boundary": {}})", "behaviors.gravity=null"}});
    EXPECT_EQ(scene.bodies.at(0).behaviors[0].values.number("density"), 800);
    EXPECT_EQ(scene.pressure_values.text("equation"), "linear");
    EXPECT_EQ(scene.values.text("title"), "a=b");
    EXPECT_EQ(scene.bodies.at(1).boundary->motion.velocity, (Vec3d{1, 0, 0}));
    EXPECT_TRUE(scene.bodies[1].shape->bounded());
    EXPECT_EQ(scene.bodies.at(2).name, "ball");
    EXPECT_TRUE(scene.behaviors.empty());
}

TEST(Scene, KeptTextReadsBackTheSame) {
    const Scene first =
        must_read(test::everything, {.overrides = {"fps=10", "title=\"a \\\"b\\\" ü\""}, .quality = "preview"});
    const Scene again = must_read(first.text);
    EXPECT_EQ(again.text, first.text);
    EXPECT_EQ(again.values.text("title"), "a \"b\" ü");
    EXPECT_EQ(again.values.number("fps"), 10);
    EXPECT_EQ(again.radius(), 0.02);
    EXPECT_EQ(again.bodies.size(), first.bodies.size());
    EXPECT_NE(first.text.find("\"folder\": \"/"), std::string::npos) << "the mesh must be found from elsewhere too";
    EXPECT_EQ(must_read(test::dam_break).text.find("folder"), std::string::npos);
}

TEST(Scene, CommentsByteOrderMarkAndWindowsLineEndsAreFine) {
    std::string text = "\xef\xbb\xbf// first\r\n" + test::dam_break + "\r\n/* last */ // really";
    EXPECT_EQ(must_read(text).radius(), 0.02);
}

TEST(Scene, FramesAreRoundedUp) {
    EXPECT_EQ(must_read(test::dam_break, {.overrides = {"duration=0.1", "fps=10"}}).frame_count(), 1u);
    EXPECT_EQ(must_read(test::dam_break, {.overrides = {"duration=0.11", "fps=10"}}).frame_count(), 2u);
    EXPECT_EQ(must_read(test::dam_break, {.overrides = {"duration=0.3", "fps=10"}}).frame_count(), 3u);
    EXPECT_EQ(must_read(test::dam_break, {.overrides = {"duration=.3", "fps=+10."}}).frame_count(), 3u);
}

} // namespace
} // namespace loam
