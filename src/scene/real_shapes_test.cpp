// The reader with the shapes that the program has.
#include <gtest/gtest.h>

#include "scene/scene.h"
#include "scene/test_registries.h"
#include "scene/test_scenes.h"

namespace loam {
namespace {

Registries with_real_shapes() {
    static const test::SomeRegistries some;
    return {shape_kinds(), some.behaviors, some.pressure_solvers};
}

TEST(SceneWithRealShapes, TankHoldsTheWater) {
    const Result<Scene> scene = read_scene(test::dam_break, "s.json", with_real_shapes());
    ASSERT_TRUE(scene) << scene.error().text();
    const Shape &water = *scene->bodies[0].shape, &tank = *scene->bodies[1].shape;
    EXPECT_LT(water.distance({0.5, 1, 0.5}), 0);
    EXPECT_GT(tank.distance({0.5, 1, 0.5}), 0) << "the inside of the tank is not solid";
    EXPECT_LT(tank.distance({-0.5, 1, 0.5}), 0);
}

TEST(SceneWithRealShapes, FlatBoxTurnsAboutZ) {
    const Result<Scene> scene =
        read_scene(test::flat, "s.json", with_real_shapes(), {.overrides = {"bodies.water.shape.rotate.degrees=90"}});
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_LT(scene->bodies[0].shape->distance({-0.5, 0.5, 0}), 0);
    EXPECT_GT(scene->bodies[0].shape->distance({0.5, 0.5, 0}), 0);
}

TEST(SceneWithRealShapes, ShapesAreScaledThenTurnedThenMovedThenHollowed) {
    const Result<Scene> scene = read_scene(
        R"({"bodies": {"a": {"behaviors": {}, "shape": {"box": {"min": [0, -1, -1], "max": [1, 1, 1]}, "scale": 2,
            "rotate": {"axis": [0, 0, 1], "degrees": 90}, "translate": [10, 0, 0], "hollow": 0.5}}}})",
        "s.json", with_real_shapes());
    ASSERT_TRUE(scene) << scene.error().text();
    const Shape& shape = *scene->bodies[0].shape; // from x = 8 to 12, y = 0 to 2, a skin of 0.5
    EXPECT_LT(shape.distance({8.1, 1, 0}), 0);
    EXPECT_LT(shape.distance({11.9, 1, 0}), 0);
    EXPECT_GT(shape.distance({10, 1, 0}), 0);
    EXPECT_GT(shape.distance({10, 2.1, 0}), 0);
}

TEST(SceneWithRealShapes, AMissingMeshIsNamed) {
    const Result<Scene> scene =
        read_scene(R"({"bodies": {"a": {"behaviors": {}, "shape": {"mesh": {"file": "missing.obj"}}}}})", "s.json",
                   with_real_shapes());
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().text().find("s.json:1:"), std::string::npos) << scene.error().text();
    EXPECT_NE(scene.error().text().find("shape.mesh.file: missing.obj: cannot"), std::string::npos)
        << scene.error().text();
}

TEST(SceneWithRealShapes, SizesThatWouldTakeAllMemoryAreRefused) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("sheet": {"u": [1e30, 0, 0], "v": [0, 0, 1]})", "shape: the sheet needs about"},
        {R"("sheet": {"u": [1, 0, 0], "v": [0, 0, 1]}, "scale": 1e6)", "shape: the sheet needs about"},
        {R"("arch": {"radius": 1e30})", "shape: the sheet needs about"},
        {R"("dome": {"radius": 1e5})", "shape.dome.radius: the surface needs about"},
        {R"("dome": {"center": [1e30, 0, 0]})", "shape.dome.center: the surface reaches beyond"},
        {R"("dome": {"axis": [-1e300, 1e300, 0]})", "shape.dome.axis: has no direction"},
        {R"("figure": {"size": 1e30})", "shape.figure.size: is"},
        {R"("fountain": {"size": 1e6})", "shape.fountain.size: is"},
    };
    for (const auto& [shape, message] : cases) {
        const Result<Scene> scene =
            read_scene(std::string(R"({"bodies": {"a": {"behaviors": {}, "shape": {)") + shape + "}}}}", "s.json",
                       with_real_shapes());
        ASSERT_FALSE(scene) << shape;
        EXPECT_NE(scene.error().text().find(message), std::string::npos) << scene.error().text();
    }
}

} // namespace
} // namespace loam
