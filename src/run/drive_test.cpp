#include "run/drive.h"

#include <gtest/gtest.h>

#include "run/load.h"

namespace loam {
namespace {

// All that has a memory: an emitter, a drain, a wall that turns, two fluids.
constexpr const char* mixer = R"({"duration": 0.4, "fps": 40, "particle_radius": 0.03, "behaviors": {"gravity": {}},
 "bodies": {
  "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.6, 0.3, 0.6]}}, "behaviors": {"fluid": {"density": 1000}},
            "emitters": {"tap": {"shape": {"box": {"min": [0.2, 0.6, 0.2], "max": [0.4, 0.7, 0.4]}}, "speed": 1.5}}},
  "oil": {"shape": {"box": {"min": [0.1, 0.4, 0.1], "max": [0.5, 0.5, 0.5]}}, "behaviors": {"fluid": {"density": 800}}},
  "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [0.6, 1, 0.6]}, "invert": true}, "boundary": {}},
  "blade": {"shape": {"box": {"min": [0.1, 0.05, 0.25], "max": [0.5, 0.2, 0.35]}},
            "boundary": {"motion": {"turns_per_second": 2, "pivot": [0.3, 0, 0.3]}}}},
 "drains": {"hole": {"shape": {"sphere": {"center": [0, 0, 0], "radius": 0.2}}}}})";

// Bodies with a memory of their own: turns, bonds, threads, pins.
constexpr const char* solids = R"({"duration": 0.3, "fps": 40, "particle_radius": 0.025, "behaviors": {"gravity": {}},
 "bodies": {
  "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 0.2, 0.6]}}, "behaviors": {"fluid": {}}},
  "box": {"shape": {"box": {"min": [0.05, 0.25, 0.05], "max": [0.2, 0.4, 0.2]}}, "behaviors": {"rigid": {"density": 400}}},
  "block": {"shape": {"box": {"min": [0.3, 0.25, 0.3], "max": [0.55, 0.4, 0.45]}}, "velocity": [0, -2, 0],
            "behaviors": {"elastic": {"density": 900, "young_modulus": 1e5, "strength": 2000}}},
  "stiff": {"shape": {"box": {"min": [0.3, 0.25, 0.05], "max": [0.45, 0.4, 0.2]}},
            "behaviors": {"elastic": {"young_modulus": 1e8, "integration": "implicit"}}},
  "cloth": {"shape": {"sheet": {"corner": [0.1, 0.6, 0.1], "u": [0.6, 0, 0], "v": [0, 0, 0.4]}},
            "pins": {"side": {"shape": {"box": {"min": [0, 0, 0], "max": [0.12, 1, 1]}}, "until": 0.15}},
            "behaviors": {"cloth": {"young_modulus": 1e5}}},
  "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [0.8, 1, 0.6]}, "invert": true}, "boundary": {}}}})";

Drive drive_of(const char* text, const std::vector<std::string>& changes = {}) {
    const Result<Scene> scene = read_scene(text, "test.json", known_registries(), {.overrides = changes});
    if (!scene) throw std::runtime_error(scene.error().text());
    Result<Drive> drive = Drive::begin(*scene);
    if (!drive) throw std::runtime_error(drive.error().text());
    return std::move(*drive);
}

void go_to(Drive& drive, std::uint64_t frame) {
    while (drive.frame() < frame)
        if (const Status moved = drive.advance(); !moved) throw std::runtime_error(moved.error().text());
}

// All that a run goes on from, to the last bit.
std::string bits(const Drive& drive) {
    const Snapshot snapshot = drive.simulation().snapshot();
    std::string all;
    for (const SavedColumn& column : snapshot.columns.columns)
        all += column.name + std::string(reinterpret_cast<const char*>(column.bytes.data()), column.bytes.size());
    for (const auto& [name, numbers] : snapshot.state)
        all += name + std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
    return all;
}

class EveryScene : public testing::TestWithParam<const char*> {};

TEST_P(EveryScene, GoesOnFromASnapshotAsIfNobodyHadGoneBack) {
    Drive drive = drive_of(GetParam());
    const Snapshot start = drive.simulation().snapshot();
    go_to(drive, 4);
    const Snapshot middle = drive.simulation().snapshot();
    go_to(drive, 9);
    const std::string once = bits(drive);

    Simulation& living = drive.simulation();
    const auto on_from = [&](const Snapshot& from, std::uint64_t frame) {
        ASSERT_TRUE(living.restore(from));
        for (++frame; frame <= 9; ++frame) ASSERT_TRUE(living.advance(static_cast<double>(frame) / 40));
    };
    on_from(middle, 4);
    EXPECT_TRUE(bits(drive) == once) << "in the simulation that it is of";
    on_from(start, 0);
    EXPECT_TRUE(bits(drive) == once) << "from the start";

    Drive other = drive_of(GetParam());
    ASSERT_TRUE(other.restore(4, middle));
    go_to(other, 9);
    EXPECT_TRUE(bits(other) == once) << "in another one";
}

TEST_P(EveryScene, BackAndOnWithoutChangesIsTheSame) {
    Drive drive = drive_of(GetParam());
    go_to(drive, 3);
    drive.keep();
    go_to(drive, 5);
    const std::string fifth = bits(drive);
    go_to(drive, 7);
    const std::string seventh = bits(drive);
    ASSERT_TRUE(drive.back_to(5));
    EXPECT_TRUE(bits(drive) == fifth) << "from the third, which is kept";
    ASSERT_TRUE(drive.set({"duration=0.375"}));
    go_to(drive, 7);
    EXPECT_TRUE(bits(drive) == seventh) << "what the physics does not see changes nothing";
    ASSERT_TRUE(drive.back_to(2));
    go_to(drive, 7);
    EXPECT_TRUE(bits(drive) == seventh) << "from the start, through the change";
}

INSTANTIATE_TEST_SUITE_P(Drive, EveryScene, testing::Values(mixer, solids),
                         [](const auto& one) { return one.param == mixer ? "mixer" : "solids"; });

TEST(Drive, SetAtTheStartIsAFreshRun) {
    for (const char* change : {"behaviors.gravity.acceleration=[0,-3,0]", "bodies.oil.behaviors.fluid.density=600",
                               "particle_radius=0.035", "bodies.oil.velocity=[1,0,0]"}) {
        Drive changed = drive_of(mixer), fresh = drive_of(mixer, {change});
        ASSERT_TRUE(changed.set({change})) << change;
        EXPECT_EQ(changed.scenes(), fresh.scenes());
        go_to(changed, 3), go_to(fresh, 3);
        EXPECT_TRUE(bits(changed) == bits(fresh)) << change;
    }
}

TEST(Drive, ValuesChangeFromHereOn) {
    const char* const changes[] = {
        "behaviors.gravity.acceleration=[0,5,0]",
        "behaviors.gravity.weight={\"keys\": [[0, 1], [0.2, 0]]}",
        "bodies.oil.behaviors.fluid.density=400",
        "bodies.water.behaviors.viscosity={\"viscosity\": 10, \"model\": \"morris\"}",
        "solver.volume_error=0.01",
        "solver.cfl=0.2",
        "bodies.blade.boundary.motion.turns_per_second=-2",
        "bodies.tank.boundary.slip=no",
        "bodies.water.emitters.tap.speed=3",
        "drains.hole.shape.sphere.radius=0.3",
    };
    Drive usual = drive_of(mixer);
    go_to(usual, 4);
    const Snapshot fourth = usual.simulation().snapshot();
    go_to(usual, 6);
    const std::string sixth = bits(usual);
    for (const char* change : changes) {
        Drive drive = drive_of(mixer);
        ASSERT_TRUE(drive.restore(4, fourth));
        const Status set = drive.set({change});
        ASSERT_TRUE(set) << set.error().text();
        go_to(drive, 6);
        EXPECT_FALSE(bits(drive) == sixth) << change;
        const std::string changed = bits(drive);
        ASSERT_TRUE(drive.restore(4, fourth)) << "and again, with the change as one of the past";
        go_to(drive, 6);
        EXPECT_TRUE(bits(drive) == changed) << change;
    }
}

// A change and its undoing: the scene of between holds between.
TEST(Drive, GoingBackBeforeAChangeUsesTheSceneOfThen) {
    const std::string still = "behaviors.gravity.acceleration=[0,0,0]";
    Drive drive = drive_of(mixer);
    go_to(drive, 2);
    ASSERT_TRUE(drive.set({still}));
    go_to(drive, 4);
    const std::string fourth = bits(drive);
    ASSERT_TRUE(drive.set({"behaviors.gravity.acceleration=[0,-9.81,0]"}));
    go_to(drive, 6);
    const std::string sixth = bits(drive);
    ASSERT_TRUE(drive.back_to(1));
    go_to(drive, 4);
    EXPECT_TRUE(bits(drive) == fourth);
    go_to(drive, 6);
    EXPECT_TRUE(bits(drive) == sixth);
}

TEST(Drive, AnotherDensityWeighsWhatIsThere) {
    Drive drive = drive_of(mixer);
    go_to(drive, 2);
    const auto mass_of = [&](std::uint32_t body) {
        const Pool& pool = drive.simulation().particles();
        double mass = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == body) mass += pool[pool.mass][i];
        return mass;
    };
    const double water = mass_of(0), oil = mass_of(1);
    ASSERT_GT(oil, 0);
    ASSERT_TRUE(drive.set({"bodies.oil.behaviors.fluid.density=400"}));
    EXPECT_NEAR(mass_of(1), oil / 2, 1e-5 * oil);
    EXPECT_EQ(mass_of(0), water);
}

// However often it is set: what counts is the frame as it was, not what was set before.
TEST(Drive, SetAndSetBackIsNothing) {
    const auto density = [](int of) { return "bodies.oil.behaviors.fluid.density=" + std::to_string(of); };
    Drive drive = drive_of(mixer);
    go_to(drive, 2);
    const Snapshot second = drive.snapshot();
    go_to(drive, 4);
    const std::string fourth = bits(drive);
    ASSERT_TRUE(drive.restore(2, second));
    for (const int of : {301, 7, 613, 800}) ASSERT_TRUE(drive.set({density(of)}));
    go_to(drive, 4);
    EXPECT_TRUE(bits(drive) == fourth) << "at once";
    for (const int of : {301, 7, 613, 800}) {
        ASSERT_TRUE(drive.restore(2, second));
        ASSERT_TRUE(drive.set({density(of)}));
        go_to(drive, 3);
    }
    go_to(drive, 4);
    EXPECT_TRUE(bits(drive) == fourth) << "with steps between";
}

// A stream twice as fast brings twice as much from then on; it does not make up for the time before.
TEST(Drive, AnEmitterGoesOnWithItsStream) {
    const auto born = [](const std::vector<std::string>& changes) {
        Drive drive = drive_of(mixer, {"drains=null"});
        go_to(drive, 8);
        EXPECT_TRUE(drive.set(changes));
        const auto before = static_cast<double>(drive.simulation().particles().size());
        go_to(drive, 16);
        return static_cast<double>(drive.simulation().particles().size()) - before;
    };
    const double usual = born({});
    ASSERT_GT(usual, 20);
    EXPECT_NEAR(born({"bodies.water.emitters.tap.speed=3"}) / usual, 2, 0.2);
    EXPECT_NEAR(born({"bodies.water.emitters.tap.start=0.1"}) / usual, 1, 0.1);
    EXPECT_NEAR(born({"bodies.water.emitters.tap.start=0.3"}) / usual, 0.5, 0.1);
}

TEST(Drive, WhatCannotBeChangedLeavesEverythingAsItWas) {
    const std::pair<const char*, const char*> refused[] = {
        {"particle_radius=0.02", "particle_radius"},
        {"fps=50", "fps"},
        {"bodies.oil.velocity=[1,0,0]", "begin otherwise"},
        {"bodies.oil.shape.box.min=[0.1,0.45,0.1]", "begin otherwise"},
        {"bodies.rock={\"shape\": {\"sphere\": {\"radius\": 0.1}}, \"boundary\": {}}", "cannot come or go"},
        {"solver.pressure=wcsph", "column"},
        {"bodies.water.emitters.tap=null", "emitters"},
        {"bodies.oill.velocity=[1,0,0]", "oil"},
        {"behaviors.gravity.weight=2", "0 to 1"},
    };
    Drive drive = drive_of(mixer);
    go_to(drive, 2);
    const std::string before = bits(drive);
    const SceneHistory scenes = drive.scenes();
    for (const auto& [change, word] : refused) {
        const Status set = drive.set({"title=other", change});
        ASSERT_FALSE(set) << change;
        EXPECT_EQ(set.error().fault, Fault::scene) << change;
        EXPECT_NE(set.error().text().find(word), std::string::npos) << set.error().text();
        EXPECT_FALSE(set.error().hint.empty()) << change;
        EXPECT_TRUE(bits(drive) == before) << change;
        EXPECT_EQ(drive.scenes(), scenes) << change;
    }
}

TEST(Drive, ASolidKeepsItsMass) {
    Drive drive = drive_of(solids);
    go_to(drive, 1);
    for (const char* change : {"bodies.box.behaviors.rigid.density=500", "bodies.cloth.behaviors.cloth.thickness=0.01",
                               "bodies.cloth.pins.side.shape.box.max=[0.2,1,1]"}) {
        const Status set = drive.set({change});
        ASSERT_FALSE(set) << change;
        EXPECT_NE(set.error().text().find("begin otherwise"), std::string::npos) << set.error().text();
    }
    EXPECT_TRUE(drive.set({"bodies.block.behaviors.elastic.young_modulus=2e5", "bodies.cloth.pins.side.until=0.05"}));
}

TEST(Drive, StoppedWithinAFrameItMustGoBackToOne) {
    Drive drive = drive_of(mixer);
    go_to(drive, 3);
    const std::string third = bits(drive);
    ASSERT_TRUE(drive.back_to(2));
    drive.keep();
    std::atomic<bool> stop = false;
    const Status stopped = drive.advance(&stop, [&] { stop = true; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::stopped);
    EXPECT_FALSE(drive.advance());
    EXPECT_FALSE(drive.set({"duration=1"}));
    ASSERT_TRUE(drive.back_to(2));
    EXPECT_TRUE(drive.advance());
    EXPECT_TRUE(bits(drive) == third);
}

} // namespace
} // namespace loam
