// Each preset that comes with the program makes a scene that runs.
#include "run/built_in_presets.h"

#include <gtest/gtest.h>

#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

TEST(BuiltInPresets, EachOneRuns) {
    EXPECT_GE(built_in_presets().size(), 12U);
    for (const Preset& preset : built_in_presets()) {
        const auto names = [&](const char* law) { return preset.text.find(law) != std::string::npos; };
        const bool sheet = names("\"cloth\"") || names("\"knit\"");
        const std::string shape = sheet ? R"({"sheet": {"corner": [0, 0, 0], "u": [0.2, 0, 0], "v": [0, 0, 0.2]}})"
                                        : R"({"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}})";
        const auto scene =
            read_scene(R"({"particle_radius": 0.01, "behaviors": {"gravity": {}}, "bodies": {"it": {"shape": )" +
                           shape + R"(, "behaviors": {"like": ")" + preset.name + R"("}}}})",
                       "test", known_registries());
        ASSERT_TRUE(scene) << scene.error().text();
        EXPECT_FALSE(preset_help(preset.text).empty()) << preset.name;
        EXPECT_GE(scene->bodies[0].behaviors.size(), 1U);
        auto simulation = Simulation::create(*scene);
        ASSERT_TRUE(simulation) << preset.name << ": " << simulation.error().text();
        EXPECT_TRUE((*simulation)->doubts().empty()) << preset.name << ": " << (*simulation)->doubts()[0].text();
        const Status done = (*simulation)->advance(0.01);
        EXPECT_TRUE(done) << preset.name << ": " << done.error().text();
        EXPECT_LT((*simulation)->steps(), 1000U) << preset.name; // it runs well
    }
}

} // namespace
} // namespace loam
