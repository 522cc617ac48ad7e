#include "foam/white_water.h"

#include <gtest/gtest.h>

#include "base/threads.h"
#include "run/load.h"

namespace loam {
namespace {

constexpr double radius = 0.02, spacing = 2 * radius, frame_seconds = 0.04;

// A tank half a metre wide that is filled to a height of 0.4 m.
Scene tank_scene(const std::string& foam = "") {
    return *read_scene(R"({"particle_radius": 0.02, "behaviors": {"gravity": {}}, "foam": {)" + foam + R"(}, "bodies": {
        "water": {"shape": {"box": {"min": [0, 0, 0], "max": [0.48, 0.4, 0.48]}}, "behaviors": {"fluid": {}}},
        "tank": {"shape": {"box": {"min": [0, 0, 0], "max": [0.48, 2, 0.48]}, "invert": true}, "boundary": {}}}})",
                       "scene.json", known_registries());
}

void add_box(FluidFrame& fluid, const Vec3d& lo, const Vec3d& hi, const Vec3d& velocity) {
    for (double z = lo.z + radius; z < hi.z; z += spacing)
        for (double y = lo.y + radius; y < hi.y; y += spacing)
            for (double x = lo.x + radius; x < hi.x; x += spacing) {
                fluid.positions.push_back({x, y, z});
                fluid.velocities.push_back(float4(velocity));
                fluid.ids.push_back(static_cast<std::uint32_t>(fluid.ids.size()));
            }
}

FluidFrame still_water() {
    FluidFrame fluid;
    add_box(fluid, {0, 0, 0}, {0.48, 0.4, 0.48}, {});
    return fluid;
}

// Two blocks that run into each other, at their moment of contact.
FluidFrame colliding_water(double speed) {
    FluidFrame fluid;
    add_box(fluid, {0, 0, 0}, {0.24, 0.4, 0.48}, {speed, 0, 0});
    add_box(fluid, {0.24, 0, 0}, {0.48, 0.4, 0.48}, {-speed, 0, 0});
    return fluid;
}

WhiteWater one(const Vec3d& place, const Vec3d& velocity, Drop kind, double life = 1) {
    return {{float4(place, life)}, {float4(velocity)}, {kind}, {0}, 1};
}

class WhiteWaterTest : public testing::Test {
protected:
    Scene scene = tank_scene();
    WhiteWaterMaker maker{scene, *scene.foam, best_instruction_set()};

    // Frames of a fluid that goes straight on.
    void advance(WhiteWater& water, FluidFrame& fluid, int frames, int first = 1) {
        for (int k = 0; k < frames; ++k) {
            FluidFrame next = fluid;
            next.time += frame_seconds;
            for (std::size_t i = 0; i < next.size(); ++i)
                next.positions[i] += frame_seconds * next.velocities[i].xyz_double();
            maker.advance(water, fluid, next, static_cast<std::uint64_t>(first + k));
            fluid = next;
        }
    }
};

TEST_F(WhiteWaterTest, StillWaterMakesNone) {
    WhiteWater water;
    FluidFrame fluid = still_water();
    advance(water, fluid, 5);
    EXPECT_EQ(water.size(), 0u);
    EXPECT_EQ(water.ids_given, 0u);
}

TEST_F(WhiteWaterTest, FallingAsOneMakesNone) {
    FluidFrame fluid;
    add_box(fluid, {0.1, 1, 0.1}, {0.38, 1.3, 0.38}, {0, -3, 0});
    // Its lower edges are crests that move outwards.
    const WhiteWaterMaker::Births births = maker.births(fluid);
    for (std::size_t i = 0; i < fluid.size(); ++i)
        if (fluid.positions[i].y > 1.1) {
            EXPECT_EQ(births.rates[i], 0);
        }
}

TEST_F(WhiteWaterTest, WaterThatCollidesMakesSomeWhereItMeetsTheAir) {
    const FluidFrame fluid = colliding_water(2);
    const WhiteWaterMaker::Births births = maker.births(fluid);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const Vec3d& p = fluid.positions[i];
        if (p.y > 0.36 && std::abs(p.x - 0.24) < spacing) {
            EXPECT_GT(births.rates[i], 0);
        }
        if (p.y < 0.3) {
            EXPECT_EQ(births.rates[i], 0); // no air, also at the walls
        }
    }
}

TEST_F(WhiteWaterTest, SlowWaterMakesNone) {
    for (const float rate : maker.births(colliding_water(0.4)).rates) EXPECT_EQ(rate, 0);
}

TEST_F(WhiteWaterTest, AmountIsAFactor) {
    const Scene other = tank_scene(R"("amount": 3)");
    const WhiteWaterMaker more(other, *other.foam, best_instruction_set());
    const FluidFrame fluid = colliding_water(2);
    const std::vector<float> once = maker.births(fluid).rates, thrice = more.births(fluid).rates;
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_FLOAT_EQ(3 * once[i], thrice[i]);
}

TEST_F(WhiteWaterTest, SprayFliesAParabola) {
    WhiteWater water = one({0.1, 1, 0.2}, {0.5, 2, 0.1}, Drop::spray);
    FluidFrame fluid = still_water();
    advance(water, fluid, 10);
    ASSERT_EQ(water.size(), 1u);
    const double t = 10 * frame_seconds;
    EXPECT_EQ(water.kinds[0], Drop::spray);
    EXPECT_NEAR(water.places[0].x, 0.1 + 0.5 * t, 1e-5);
    EXPECT_NEAR(water.places[0].y, 1 + 2 * t - 0.5 * 9.81 * t * t, 1e-4);
    EXPECT_NEAR(water.velocities[0].y, 2 - 9.81 * t, 1e-4);
    EXPECT_EQ(water.places[0].w, 1); // it does not grow old
}

TEST_F(WhiteWaterTest, SprayDiesOnWalls) {
    WhiteWater water = one({0.45, 1, 0.2}, {2, 0, 0}, Drop::spray);
    FluidFrame fluid = still_water();
    advance(water, fluid, 2);
    EXPECT_EQ(water.size(), 0u);
}

TEST_F(WhiteWaterTest, BubblesRiseToTheSurfaceAndDieThereAsFoam) {
    WhiteWater water = one({0.24, 0.1, 0.24}, {}, Drop::bubble, 0.6);
    FluidFrame fluid = still_water();
    advance(water, fluid, 10);
    ASSERT_EQ(water.size(), 1u);
    EXPECT_EQ(water.kinds[0], Drop::bubble);
    EXPECT_NEAR(water.velocities[0].y, 0.25, 0.01);       // `rise`
    const double t = 10 * frame_seconds, late = 1 / 20.0; // it takes that long to get going
    EXPECT_NEAR(water.places[0].y, 0.1 + 0.25 * (t - late), 0.01);
    EXPECT_EQ(water.places[0].w, 0.6f);
    advance(water, fluid, 25);
    ASSERT_EQ(water.size(), 1u);
    EXPECT_EQ(water.kinds[0], Drop::foam);
    EXPECT_NEAR(water.places[0].y, 0.4, spacing);
    EXPECT_LT(water.places[0].w, 0.6f);
    advance(water, fluid, 15);
    EXPECT_EQ(water.size(), 0u);
}

TEST_F(WhiteWaterTest, BubblesAtWallsAndInCornersStayBubbles) {
    FluidFrame fluid = still_water();
    for (const Vec3d& place : {Vec3d{0.01, 0.15, 0.24}, Vec3d{0.24, 0.01, 0.24}, Vec3d{0.01, 0.15, 0.01}}) {
        WhiteWater water = one(place, {}, Drop::bubble);
        advance(water, fluid, 1);
        ASSERT_EQ(water.size(), 1u);
        EXPECT_EQ(water.kinds[0], Drop::bubble) << place.x << " " << place.y << " " << place.z;
    }
}

TEST_F(WhiteWaterTest, FoamGoesWithTheFluid) {
    FluidFrame fluid;
    add_box(fluid, {0, 0, 0}, {0.48, 0.4, 0.48}, {0.3, 0, 0});
    WhiteWater water = one({0.24, 0.42, 0.24}, {}, Drop::spray, 10);
    advance(water, fluid, 1);
    ASSERT_EQ(water.kinds[0], Drop::foam);
    EXPECT_NEAR(water.velocities[0].x, 0.3, 1e-5);
    const float from = water.places[0].x;
    advance(water, fluid, 3);
    EXPECT_NEAR(water.places[0].x - from, 0.3 * 3 * frame_seconds, 1e-5);
}

TEST_F(WhiteWaterTest, NewbornsAreNearTheirParentsWay) {
    FluidFrame before = colliding_water(2), after = before;
    after.time = frame_seconds;
    WhiteWater water;
    maker.advance(water, before, after, 1);
    ASSERT_GT(water.size(), 30u);
    EXPECT_EQ(water.ids_given, water.ids.back() + 1u);
    for (std::size_t i = 0; i < water.size(); ++i) {
        EXPECT_GT(water.places[i].y, 0.2);
        EXPECT_LT(std::abs(water.places[i].x - 0.24), 0.24);
        if (i > 0) {
            EXPECT_GT(water.ids[i], water.ids[i - 1]);
        }
    }
}

TEST_F(WhiteWaterTest, SameBitsForAnyNumberOfThreads) {
    const auto made = [&](int threads) {
        return with_threads(threads, [&] {
            WhiteWater water;
            FluidFrame fluid = colliding_water(2);
            advance(water, fluid, 4);
            return water;
        });
    };
    const WhiteWater a = made(1), b = made(3);
    ASSERT_GT(a.size(), 30u);
    EXPECT_EQ(a.places, b.places);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.kinds, b.kinds);
    EXPECT_EQ(a.ids, b.ids);
}

TEST(WhiteWater, NearsTheMostButDoesNotPassIt) {
    const Scene scene = tank_scene(R"("amount": 20, "most": 3000, "life": 100)");
    WhiteWaterMaker maker(scene, *scene.foam, best_instruction_set());
    const FluidFrame before = colliding_water(2);
    FluidFrame after = before;
    after.time = frame_seconds;
    WhiteWater water;
    for (std::uint64_t frame = 1; frame < 30; ++frame) maker.advance(water, before, after, frame);
    EXPECT_GT(water.size(), 1500u);
    EXPECT_LT(water.size(), 6000u);
}

TEST(FluidMotion, PassesBothFramesWithTheirVelocities) {
    FluidFrame before, after;
    before.positions = {{0, 0, 0}}, before.velocities = {{1, 0, 0, 0}}, before.ids = {7};
    after.positions = {{0.1, 0.02, 0}, {5, 0, 0}}, after.velocities = {{1, 1, 0, 0}, {1, 0, 0, 0}}, after.ids = {7, 9};
    after.time = 0.1;
    const FluidSpace space{.reach = 1};
    const FluidMotion motion(before, after, space);
    EXPECT_LT(length(motion.position(0, 0) - before.positions[0]), 1e-12);
    EXPECT_LT(length(motion.position(0, 1) - after.positions[0]), 1e-12);
    const double d = 1e-6;
    const Vec3d leaving = (motion.position(0, d) - motion.position(0, 0)) / (0.1 * d);
    const Vec3d arriving = (motion.position(0, 1) - motion.position(0, 1 - d)) / (0.1 * d);
    EXPECT_LT(length(leaving - Vec3d{1, 0, 0}), 1e-4);
    EXPECT_LT(length(arriving - Vec3d{1, 1, 0}), 1e-4);
    EXPECT_NEAR(motion.position(1, 0.5).x, 4.95, 1e-7); // was not there before
}

TEST(FluidMotion, GoesTheShortWayAcrossAPeriod) {
    FluidFrame before, after;
    before.positions = {{0.98, 0, 0}}, before.velocities = {{1, 0, 0, 0}}, before.ids = {0};
    after.positions = {{0.02, 0, 0}}, after.velocities = {{1, 0, 0, 0}}, after.ids = {0};
    after.time = 0.04;
    const FluidSpace space{.reach = 0.1, .begin = {}, .period = {1, 0, 0}};
    const FluidMotion motion(before, after, space);
    EXPECT_NEAR(motion.at(0.25).positions[0].x, 0.99, 1e-6);
    EXPECT_NEAR(motion.at(0.75).positions[0].x, 0.01, 1e-6);
}

} // namespace
} // namespace loam
