#include "run/measure.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "particles/pool.h"
#include "run/load.h"

namespace loam {
namespace {

const FrameHeader header{.particle_radius = 1, .bodies = {"water", "oil"}, .particle_volume = 4}; // which fills 8 m^3

Pool two_bodies() {
    Pool pool;
    const std::vector<Pool::Birth> births{
        {{0, 1, 0}, {1, 0, 0}, 4, 2, 0}, {{2, 3, -1}, {0, 2, 0}, 4, 2, 0}, {{5, 5, 5}, {0, 0, -3}, 1, 4, 1}};
    pool.give_birth(births);
    pool[pool.density][1] = 1.25f;
    pool[pool.density][2] = 0.5f;
    return pool;
}

TEST(Measure, AddsUpEachBodyAndAll) {
    const auto measures = measure(two_bodies(), header, {{0, -10, 0}, {}});
    ASSERT_TRUE(measures) << measures.error().text();
    const Measure &water = measures->bodies[0], &oil = measures->bodies[1], &all = measures->total;
    EXPECT_EQ(water.particles, 2u);
    EXPECT_EQ(water.volume, 16);
    EXPECT_EQ(oil.volume, 2); // a quarter of a full particle
    EXPECT_EQ(all.volume, 18);
    EXPECT_EQ(water.mass, 4);
    EXPECT_EQ(water.momentum, (Vec3d{2, 4, 0}));
    EXPECT_EQ(water.kinetic_energy, 0.5 * 2 * (1 + 4));
    EXPECT_EQ(water.potential_energy, 2 * 10 * (1 + 3));
    EXPECT_EQ(water.bounds.lo, (Vec3d{0, 1, -1}));
    EXPECT_EQ(water.bounds.hi, (Vec3d{2, 3, 0}));
    EXPECT_EQ(water.largest_compression, 0.25);
    EXPECT_EQ(oil.largest_compression, 0); // thin is not compressed
    EXPECT_EQ(oil.potential_energy, 0);
    EXPECT_EQ(all.particles, 3u);
    EXPECT_EQ(all.momentum, (Vec3d{2, 4, -12}));
    EXPECT_EQ(all.top_speed, 3);
}

TEST(Measure, TellsWhatRests) {
    Pool pool = two_bodies();
    EXPECT_FALSE(measure(pool, header, {{}, {}})->total.may_rest);
    pool.declare_resting();
    pool[pool.resting][1] = 1;
    const auto measures = measure(pool, header, {{}, {}});
    EXPECT_TRUE(measures->total.may_rest);
    EXPECT_EQ(measures->bodies[0].resting_share(), 0.5);
    EXPECT_EQ(measures->total.resting_share(), 0.25);
}

// Four points at the corners of a square that moves and turns.
TEST(Measure, TellsCenterAndSpin) {
    Pool pool;
    const Vec3d center{3, -2, 7}, velocity{1, 2, 3}, spin{0.5, -1, 2};
    for (const Vec3d& arm : {Vec3d{1, 0, 0}, Vec3d{-1, 0, 0}, Vec3d{0, 2, 0}, Vec3d{0, -2, 0}}) {
        const Pool::Birth birth{center + arm, velocity + cross(spin, arm), 4, 2, 0};
        pool.give_birth({&birth, 1});
    }
    const auto measures = measure(pool, header, {{}, {}});
    ASSERT_TRUE(measures);
    EXPECT_LT(length(measures->bodies[0].center() - center), 1e-12);
    EXPECT_LT(length(measures->bodies[0].spin() - spin), 1e-6);
    EXPECT_EQ(measures->bodies[1].spin(), Vec3d{});
    EXPECT_FALSE(measures->total.elastic_known);
    const auto energy = pool.declare<float>({.name = "elastic_energy"});
    for (float& own : pool[energy]) own = 0.25f;
    EXPECT_EQ(measure(pool, header, {{}, {}})->bodies[0].elastic_energy, 1);
}

TEST(Measure, OlderFramesAreOfFullParticles) {
    Columns frame; // without a column for volumes
    for (const char* vector : {"position", "velocity"}) frame.declare<Float4>({.name = vector});
    frame.declare<float>({.name = "mass"});
    frame.declare<std::uint32_t>({.name = "body"});
    frame.resize(3);
    const auto measures = measure(frame, {.particle_radius = 0.5}, {{}});
    ASSERT_TRUE(measures) << measures.error().text();
    EXPECT_EQ(measures->total.volume, 3);
}

TEST(Measure, SeesWhatIsNotFinite) {
    Pool pool = two_bodies();
    pool[pool.velocity][0].y = NAN;
    const auto measures = measure(pool, header, {{}, {}});
    ASSERT_TRUE(measures);
    EXPECT_FALSE(measures->bodies[0].finite());
    EXPECT_TRUE(measures->bodies[1].finite());
}

TEST(Measure, NeedsItsColumns) {
    Columns columns;
    columns.declare<Float4>({.name = "position"});
    const auto measures = measure(columns, header, {{}});
    ASSERT_FALSE(measures);
    EXPECT_NE(measures.error().what.find("velocity"), std::string::npos);
}

// Names of the folders of laws below src/`kind`: what the build must have found.
std::set<std::string> folders_that_say(const std::string& kind, const std::string& registration) {
    std::set<std::string> names;
    const auto root = std::filesystem::path(LOAM_SOURCE_DIR) / "src" / kind;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() != ".cpp") continue;
        std::stringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        if (text.str().find("const " + registration + " ") != std::string::npos)
            names.insert(entry.path().parent_path().filename().string());
    }
    return names;
}

TEST(Load, KnowsWhatIsBuiltInWithTheDefaultSolverFirst) {
    const Registries known = known_registries();
    const auto names = [](std::span<const Declaration> all) {
        std::set<std::string> some;
        for (const Declaration& one : all) EXPECT_TRUE(some.insert(one.name).second) << one.name << " twice";
        return some;
    };
    ASSERT_FALSE(known.pressure_solvers.empty());
    EXPECT_EQ(known.pressure_solvers[0].name, "dfsph");
    EXPECT_EQ(names(known.pressure_solvers), folders_that_say("pressure", "RegisterPressure"));
    EXPECT_EQ(names(known.behaviors), folders_that_say("behaviors", "RegisterBehavior"));
    for (const char* shape : {"box", "plane", "sphere", "mesh", "heightfield", "figure", "sheet", "dome"})
        EXPECT_TRUE(std::any_of(known.shapes.begin(), known.shapes.end(), [&](const ShapeKind& kind) {
            return kind.declaration.name == shape;
        })) << shape;
}

TEST(Gravity, OfABodyWinsOverThatOfTheScene) {
    const auto scene = read_scene(R"({"behaviors": {"gravity": {}}, "bodies": {
        "a": {"shape": {"sphere": {"radius": 1}}, "behaviors": {"fluid": {}}},
        "b": {"shape": {"sphere": {"radius": 1}}, "behaviors": {"fluid": {}, "gravity": {"acceleration": [1, 0, 0]}}},
        "wall": {"shape": {"sphere": {"radius": 2}}, "boundary": {}}}})",
                                  "s.json", known_registries());
    ASSERT_TRUE(scene) << scene.error().text();
    const std::vector<Vec3d> gravity = gravity_by_body(*scene, 0);
    EXPECT_EQ(gravity[0], (Vec3d{0, -9.81, 0}));
    EXPECT_EQ(gravity[1], (Vec3d{1, 0, 0}));
    EXPECT_EQ(gravity[2], (Vec3d{}));
}

TEST(Gravity, FollowsItsWeightAndKeys) {
    const auto scene = read_scene(R"({"bodies": {
        "a": {"shape": {"sphere": {"radius": 1}}, "behaviors": {"fluid": {}, "gravity": {"weight": 0.5}}},
        "b": {"shape": {"sphere": {"radius": 1}}, "behaviors": {"fluid": {}, "gravity":
             {"acceleration": {"keys": [[0, [0, -9, 0]], [2, [0, 3, 0]]], "interpolation": "linear"}}}}}})",
                                  "s.json", known_registries());
    ASSERT_TRUE(scene) << scene.error().text();
    const std::vector<Vec3d> gravity = gravity_by_body(*scene, 1);
    EXPECT_EQ(gravity[0], (Vec3d{0, -0.5 * 9.81, 0}));
    EXPECT_EQ(gravity[1], (Vec3d{0, -3, 0}));
}

} // namespace
} // namespace loam
