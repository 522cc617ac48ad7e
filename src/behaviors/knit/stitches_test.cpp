#include "behaviors/knit/stitches.h"

#include <gtest/gtest.h>

#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

const Stitches usual{.structural = 90, .crosswise = 0.5, .shear = 0, .flexion = 0, .volume = 10, .axis = {0, 1, 0}};

// What it takes to stretch it by a strain along x, or along z, per strain: sum of k (e l)^2 / e^2 along the springs.
double stiffness(const Sheet& sheet, const Stitches& stitches, const Vec3d& along) {
    double sum = 0, area = 0;
    for (const Spring& s : knit_springs(sheet, stitches)) {
        const Vec3d d = sheet.points[s.a] - sheet.points[s.b];
        const double longer = dot(d, along) * dot(d, along) / length(d);
        sum += s.stiffness * longer * longer;
    }
    for (const double share : sheet.shares) area += share;
    return sum / area;
}

TEST(KnitSprings, AreTogetherAsStiffAsTheySay) {
    const Sheet sheet = in_three_layers(rectangle_sheet({}, {2, 0, 0}, {0, 0, 3}, 0.1), 0.02);
    // Rims have a whole spring for half a cell.
    EXPECT_NEAR(stiffness(sheet, usual, {0, 0, 1}), 90 * 21.0 / 20, 1e-3 * 90);
    EXPECT_NEAR(stiffness(sheet, usual, {1, 0, 0}), 45 * 31.0 / 30, 1e-3 * 45);
}

TEST(KnitSprings, FollowTheAxisWhereThereAreNoRows) {
    Sheet sheet = rectangle_sheet({}, {2, 0, 0}, {0, 3, 0}, 0.1);
    sheet.rows = sheet.columns = 0;
    sheet = in_three_layers(std::move(sheet), 0.02);
    EXPECT_GT(stiffness(sheet, usual, {0, 1, 0}), 1.3 * stiffness(sheet, usual, {1, 0, 0}));
}

TEST(KnitSprings, ThreeLayersWeighAsOne) {
    const Sheet one = rectangle_sheet({}, {2, 0, 0}, {0, 0, 3}, 0.1), three = in_three_layers(one, 0.02);
    ASSERT_EQ(three.points.size(), 3 * one.points.size());
    double sum = 0;
    for (const double share : three.shares) sum += share;
    EXPECT_NEAR(sum, 6, 1e-9);
    EXPECT_NEAR(three.points[2 * one.points.size()].y - three.points[0].y, -0.02, 1e-12); // normals: u x v
    EXPECT_NEAR(three.points[one.points.size()].y - three.points[0].y, 0.02, 1e-12);
}

std::string complaint(const std::string& shape, const std::string& knit) {
    const auto scene = read_scene(R"({"particle_radius": 0.01, "bodies": {"it": {"shape": )" + shape +
                                      R"(, "behaviors": {"knit": )" + knit + "}}}}",
                                  "test", known_registries());
    if (!scene) return scene.error().text();
    const auto simulation = Simulation::create(*scene);
    return simulation ? "" : simulation.error().text();
}

TEST(Knit, SaysWhatIsWrong) {
    const std::string sheet = R"({"sheet": {"u": [0.2, 0, 0], "v": [0, 0, 0.2]}})";
    const auto says = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    EXPECT_EQ(complaint(sheet, "{}"), "");
    says(complaint(sheet, R"({"thickness": 0})"), "bodies.it.behaviors.knit.thickness");
    says(complaint(sheet, R"({"wales": 0})"), "bodies.it.behaviors.knit.wales");
    says(complaint(sheet, R"({"courses": -3})"), "bodies.it.behaviors.knit.courses");
    says(complaint(sheet, R"({"volume": 0})"), "bodies.it.behaviors.knit.volume");
    says(complaint(sheet, R"({"axis": [0, 0, 0]})"), "has no length");
    says(complaint(R"({"sheet": {"u": [0.2, 0, 0]}})", "{}"), "no area that could be knitted");
    says(complaint(R"({"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}})", "{}"), "no area that could be knitted");
    says(complaint(R"({"dome": {"radius": 0.05}})", R"({"thickness": 0.3})"), "its layers cross");
}

} // namespace
} // namespace loam
