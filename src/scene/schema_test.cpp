#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scene/blocks.h"
#include "scene/test_registries.h"
#include "scene/test_scenes.h"

namespace loam {
namespace {

using Json = nlohmann::json;

Json schema() { return Json::parse(scene_schema(test::SomeRegistries().view())); }

TEST(Schema, HoldsUnitsRangesAndDefaults) {
    const Json definitions = schema()["$defs"];
    const Json density = definitions["behavior-fluid"]["properties"]["density"];
    EXPECT_EQ(density["type"], "number");
    EXPECT_EQ(density["exclusiveMinimum"], 0);
    EXPECT_EQ(density["default"], 1000);
    EXPECT_EQ(density["description"], "At rest. [kg/m^3]");
    EXPECT_EQ(definitions["solver"]["properties"]["pressure"]["enum"], (Json{"dfsph", "wcsph"}));
    EXPECT_EQ(definitions["shape-box"]["required"], (Json{"min", "max"}));
    EXPECT_EQ(definitions["scene"]["properties"]["dimensions"]["default"], 3);
    EXPECT_EQ(definitions["domain"]["properties"]["min"]["items"]["type"], (Json{"number", "null"}));
}

TEST(Schema, EveryReferenceLeadsSomewhere) {
    const Json all = schema();
    const Json leaves = all.flatten();
    int references = 0;
    for (const auto& [path, value] : leaves.items()) {
        if (!path.ends_with("/$ref")) continue;
        ++references;
        EXPECT_TRUE(all.contains(Json::json_pointer(value.get<std::string>().substr(1)))) << value;
    }
    EXPECT_GT(references, 15);
}

// Overrides that make a scene wrong, as far as a schema can tell.
const std::vector<std::string> spoilers{R"({"fsp": 25})",
                                        R"({"duration": -1})",
                                        R"({"duration": "long"})",
                                        R"({"dimensions": 4})",
                                        R"({"dimensions": 2.5})",
                                        R"({"bodies": null})",
                                        R"({"bodies": {"a b": {"shape": {"sphere": {}}, "boundary": {}}}})",
                                        R"({"bodies": {"water": {"behaviors": {"fluid": {"density": 0}}}}})",
                                        R"({"bodies": {"water": {"boundary": {}}}})",
                                        R"({"bodies": {"water": {"behaviors": null}}})",
                                        R"({"bodies": {"water": {"shape": null}}})",
                                        R"({"bodies": {"water": {"behaviors": {"fluit": {}}}}})",
                                        R"({"bodies": {"water": {"shape": {"sphere": {}}}}})",
                                        R"({"bodies": {"water": {"shape": {"smooth": 1}}}})",
                                        R"({"bodies": {"water": {"shape": {"box": {"min": null}}}}})",
                                        R"({"bodies": {"water": {"velocity": [1]}}})",
                                        R"({"bodies": {"water": {"velocity": [1, null, 0]}}})",
                                        R"({"bodies": {"tank": {"boundary": {"slip": "some"}}}})",
                                        R"({"bodies": {"tank": {"velocity": [0, 1]}}})",
                                        R"({"bodies": {"tank": {"boundary": {"motion": {"angle": {"keys": [{}]}}}}}})",
                                        R"({"solver": {"pressure": "dfspg"}})",
                                        R"({"solver": {"wcsph": {"volume_error": 0.1}}})",
                                        R"({"bodies": {"water": {"start": {"velocity": {"twist": [0, 1, 0]}}}}})",
                                        R"({"bodies": {"tank": {"start": {}}}})",
                                        R"({"gauges": {"g": {}}})",
                                        R"({"gauges": {"g": {"load": {}}}})",
                                        R"({"gauges": {"g": {"load": {"on": "tank"}, "level": {"at": [0, 0]}}}})",
                                        R"({"quality": {"low": {"fsp": 1}}})",
                                        R"({"drains": {"d": {"bodies": ["water"]}}})",
                                        R"({"drains": {"d": {"shape": {"union": []}}}})"};

TEST(Schema, AgreesWithTheReaderInAnIndependentValidator) {
    namespace fs = std::filesystem;
    const test::SomeRegistries registries;
    const fs::path folder = fs::path(testing::TempDir()) / ("loam-schema-" + std::to_string(::getpid()));
    fs::create_directories(folder / "scenes");
    std::ofstream(folder / "schema") << scene_schema(registries.view());
    int count = 0;
    for (const std::string& text : {test::dam_break, test::everything, test::flat})
        std::ofstream(folder / "scenes" / ("right-" + std::to_string(count++) + ".json"))
            << Json::parse(text, nullptr, true, true);
    for (const std::string& spoiler : spoilers) {
        Json scene = Json::parse(test::dam_break, nullptr, true, true);
        scene.merge_patch(Json::parse(spoiler));
        EXPECT_FALSE(read_scene(scene.dump(), "", registries.view())) << spoiler;
        std::ofstream(folder / "scenes" / ("wrong-" + std::to_string(count++) + ".json")) << scene;
    }
    const std::string command = "/usr/bin/python3 " LOAM_SOURCE_DIR "/tests/validate_scenes.py " +
                                (folder / "schema").string() + " " + (folder / "scenes").string();
    const int status = std::system(command.c_str());
    fs::remove_all(folder);
    if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 127) GTEST_SKIP() << "python3-jsonschema is not installed";
    EXPECT_EQ(status, 0);
}

TEST(Reference, NamesEveryBlockAndProperty) {
    const test::SomeRegistries registries;
    const Grammar grammar(registries.view());
    const std::string page = scene_reference(registries.view());
    for (const std::string& name : grammar.order()) {
        EXPECT_NE(page.find("## " + grammar[name].title + "\n"), std::string::npos) << name;
        for (const std::string& key : grammar[name].keys())
            EXPECT_NE(page.find("| `" + key + "` |"), std::string::npos) << name << "." << key;
    }
    EXPECT_NE(page.find("| `density` | number, greater than 0 kg/m^3 | `1000` | At rest. |"), std::string::npos);
    EXPECT_NE(page.find("`0.0001`; 0.01 for wcsph"), std::string::npos) << "a pressure solver's own default";
}

TEST(Reference, ExplainsABehavior) {
    const std::vector<Declaration> behaviors = test::some_behaviors();
    EXPECT_EQ(behavior_help(behaviors[1]),
              "fluid\nResists compression.\nMore about it.\n\nProperties\n  density\n      At rest.\n"
              "      a number greater than 0 kg/m^3; default 1000\n\nIn a scene\n"
              "  \"behaviors\": {\"fluid\": {\"density\": 1000}}\n");
    EXPECT_NE(behavior_help(behaviors[3]).find("no properties"), std::string::npos);
}

} // namespace
} // namespace loam
