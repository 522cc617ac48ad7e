#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "scene/scene.h"
#include "scene/test_registries.h"

namespace loam {
namespace {

namespace fs = std::filesystem;

class Presets : public testing::Test {
protected:
    Presets() {
        fs::remove_all(folder);
        fs::create_directories(folder / "presets");
        fs::create_directories(folder / "mine");
    }
    ~Presets() override { fs::remove_all(folder); }

    Result<Scene> read(const std::string& text, const SceneOptions& options = {}) const {
        Registries known = registries.view();
        known.presets = built_in;
        known.preset_folders = folders;
        return read_scene(text, (folder / "s.json").string(), known, options);
    }
    Result<Scene> water(const std::string& behaviors, const SceneOptions& options = {},
                        const std::string& top = "") const {
        return read("{" + top + R"("bodies": {"water": {"shape": {"sphere": {}}, "behaviors": )" + behaviors + "}}}",
                    options);
    }
    std::string message(const std::string& behaviors, const std::string& top = "") const {
        const Result<Scene> scene = water(behaviors, {}, top);
        return scene ? "" : scene.error().text();
    }
    void write(const std::string& file, const std::string& text) const { std::ofstream(folder / file) << text; }

    // Tests run beside each other.
    const fs::path folder =
        fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    const test::SomeRegistries registries;
    const std::vector<Preset> built_in{
        {"honey", "presets/honey.json",
         R"({"help": "Thick.", "behaviors": {"fluid": {"density": 1420}, "viscosity": {"viscosity": 10, "passes": 2}},
             "look": {"material": "glossy", "color": "#ff8800"}})"},
        {"syrup", "presets/syrup.json",
         R"({"behaviors": {"like": "honey", "viscosity": {"viscosity": 3}, "dust": {}}})"}};
    const std::vector<std::string> folders{(folder / "mine").string()};
};

double number(const Result<Scene>& scene, const char* law, const char* property) {
    const BehaviorUse* use = find_behavior(*scene, scene->bodies[0], law);
    return use ? use->values.number(property) : -1;
}

#define ASSERT_READ(scene) ASSERT_TRUE(scene) << scene.error().text()

TEST_F(Presets, OwnValuesWinOneByOne) {
    const auto scene = water(R"({"like": "honey", "viscosity": {"viscosity": 7}})");
    ASSERT_READ(scene);
    EXPECT_EQ(number(scene, "fluid", "density"), 1420);
    EXPECT_EQ(number(scene, "viscosity", "viscosity"), 7);
    EXPECT_EQ(number(scene, "viscosity", "passes"), 2);
    EXPECT_EQ(scene->bodies[0].look.text("color"), "#ff8800");
}

TEST_F(Presets, NullLeavesOut) {
    const auto scene = water(R"({"like": "honey", "viscosity": null, "fluid": {"density": null}})");
    ASSERT_READ(scene);
    EXPECT_FALSE(find_behavior(*scene, scene->bodies[0], "viscosity"));
    EXPECT_EQ(number(scene, "fluid", "density"), 1000); // the default
}

TEST_F(Presets, OwnLookWins) {
    const auto scene = read(R"({"bodies": {"water": {"shape": {"sphere": {}}, "behaviors": {"like": "honey"},
                                                     "look": {"color": "#000000"}}}})");
    ASSERT_READ(scene);
    EXPECT_EQ(scene->bodies[0].look.text("color"), "#000000");
    EXPECT_EQ(scene->bodies[0].look.text("material"), "glossy");
}

TEST_F(Presets, LikeOneAnother) {
    const auto scene = water(R"({"like": "syrup"})");
    ASSERT_READ(scene);
    EXPECT_EQ(number(scene, "viscosity", "viscosity"), 3);
    EXPECT_EQ(number(scene, "viscosity", "passes"), 2);
    EXPECT_TRUE(find_behavior(*scene, scene->bodies[0], "dust"));
    EXPECT_EQ(scene->bodies[0].look.text("material"), "glossy");
}

TEST_F(Presets, KeysReplaceKeysAsAWhole) {
    write(
        "presets/fading.json",
        R"({"behaviors": {"fluid": {"density": {"over": "time", "interpolation": "step", "keys": [[0, 1], [1, 2]]}}}})");
    test::SomeRegistries keyed = registries;
    for (Declaration& law : keyed.behaviors)
        for (Property& property : law.properties) property.keying = Keying::time;
    const auto scene = read_scene(R"({"bodies": {"water": {"shape": {"sphere": {}}, "behaviors":
                                      {"like": "fading", "fluid": {"density": {"keys": [[0, 5], [2, 7]]}}}}}})",
                                  (folder / "s.json").string(), keyed.view());
    ASSERT_READ(scene);
    EXPECT_EQ(find_behavior(*scene, scene->bodies[0], "fluid")->values.at(1).number("density"), 6);
}

TEST_F(Presets, GroupsAndTheTopOfTheScene) {
    const auto scene = read(R"({"behaviors": {"like": "heavy"},
        "presets": {"heavy": {"behaviors": {"gravity": {"acceleration": [0, -20, 0]}}, "look": {"color": "#000000"}}},
        "bodies": {"water": {"shape": {"sphere": {}}, "behaviors": {"fluid": {}},
                   "groups": {"core": {"shape": {"sphere": {"radius": 0.5}}, "behaviors": {"like": "honey"}}}}}})");
    ASSERT_READ(scene);
    EXPECT_EQ(scene->behaviors[0].values.vector("acceleration").y, -20);
    EXPECT_EQ(find_behavior(*scene, scene->bodies[1], "fluid")->values.number("density"), 1420);
    EXPECT_EQ(scene->bodies[1].look.text("color"), ""); // a group looks like its body
}

TEST_F(Presets, FirstOfTheSceneThenBesideItThenOfTheUserThenBuiltIn) {
    const auto density = [&](const std::string& top) {
        const auto scene = water(R"({"like": "honey"})", {}, top);
        EXPECT_TRUE(scene) << scene.error().text();
        return scene ? number(scene, "fluid", "density") : 0;
    };
    EXPECT_EQ(density(""), 1420);
    write("mine/honey.json", R"({"behaviors": {"fluid": {"density": 3}}})");
    EXPECT_EQ(density(""), 3);
    write("presets/honey.json", R"({"behaviors": {"fluid": {"density": 2}}})");
    EXPECT_EQ(density(""), 2);
    EXPECT_EQ(density(R"("presets": {"honey": {"behaviors": {"fluid": {"density": 1}}}},)"), 1);
}

TEST_F(Presets, OverridesAndQualitiesChangeWhatAPresetSays) {
    const auto with = [&](const std::vector<std::string>& overrides) {
        return water(R"({"like": "honey"})", {.overrides = overrides});
    };
    EXPECT_EQ(number(with({"bodies.water.behaviors.fluid.density=900"}), "fluid", "density"), 900);
    EXPECT_EQ(number(with({"bodies.water.behaviors.like=syrup"}), "viscosity", "viscosity"), 3);
    EXPECT_EQ(number(with({"bodies.water.behaviors.viscosity=null"}), "viscosity", "viscosity"), -1);
    EXPECT_EQ(number(with({"bodies.water.behaviors.like=null", "bodies.water.behaviors.fluid={}"}), "fluid", "density"),
              1000);
    const auto quality = water(R"({"like": "honey"})", {.quality = "thin"},
                               R"("quality": {"thin": {"bodies": {"water": {"behaviors": {"viscosity": null}}}}},)");
    EXPECT_EQ(number(quality, "viscosity", "viscosity"), -1);
    EXPECT_EQ(number(quality, "fluid", "density"), 1420);
}

TEST_F(Presets, WhatIsKeptDoesNotChangeWithTheFile) {
    write("presets/mud.json", R"({"behaviors": {"like": "syrup", "fluid": {"density": 1800}}})");
    const auto scene = water(R"({"like": "mud", "dust": null})");
    ASSERT_READ(scene);
    write("presets/mud.json", "{");
    const auto again = read(scene->text);
    ASSERT_READ(again);
    EXPECT_EQ(number(again, "fluid", "density"), 1800);
    EXPECT_EQ(number(again, "viscosity", "viscosity"), 3);
    EXPECT_FALSE(find_behavior(*again, again->bodies[0], "dust"));
    EXPECT_EQ(again->text, scene->text);
}

TEST_F(Presets, MessagesNameTheFileAndTheLine) {
    write("presets/broken.json", "{\n  \"behaviors\": {\n    \"fluid\": {\"density\": -1}\n  }\n}");
    write("presets/torn.json", "{\n\"behaviors\": ");
    write("presets/odd.json", R"({"behaviors": {"fluidd": {}}})");
    write("presets/a.json", R"({"behaviors": {"like": "b"}})");
    write("presets/b.json", R"({"behaviors": {"like": "a"}})");
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases{
        {R"({"like": "hony"})",
         {"s.json:1", "bodies.water.behaviors.like", "no preset \"hony\"", "did you mean \"honey\""}},
        {R"({"like": "../honey"})", {"no preset"}},
        {R"({"like": 3})", {"bodies.water.behaviors.like", "found the number 3"}},
        {R"({"like": "broken"})", {"presets/broken.json:3:26", "behaviors.fluid.density", "-1"}},
        {R"({"like": "torn"})", {"presets/torn.json:2"}},
        {R"({"like": "odd"})", {"presets/odd.json:1", "fluidd", "did you mean \"fluid\""}},
        {R"({"like": "a"})", {"presets/b.json:1", "behaviors.like", "like itself", "circle"}},
        {R"({"like": "honey", "fluid": 5})", {"s.json:1", "bodies.water.behaviors.fluid", "the number 5"}},
        {R"({"fluid": null})", {"bodies.water.behaviors.fluid", "found null"}}};
    for (const auto& [behaviors, said] : cases) {
        const std::string told = message(behaviors);
        for (const std::string& part : said)
            EXPECT_NE(told.find(part), std::string::npos) << part << " in <" << told << ">";
    }
    const std::string own = message(R"({"fluid": {}})", R"("presets": {"x": {"behaviors": {"like": "x"}}},)");
    EXPECT_NE(own.find("presets.x.behaviors.like"), std::string::npos) << own;
}

} // namespace
} // namespace loam
