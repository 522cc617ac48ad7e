#include "picture/mist.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/threads.h"
#include "picture/trace.h"

namespace loam {
namespace {

// Drops of a radius in the unit cube, evenly at random.
Frame drops_in_cube(std::size_t count, double radius, const Vec3d& velocity = {}) {
    Frame frame;
    frame.header.particle_radius = radius;
    const auto place = frame.columns.declare<Float4>({.name = "position", .output = true});
    const auto moves = frame.columns.declare<Float4>({.name = "velocity", .output = true});
    const auto id = frame.columns.declare<std::uint32_t>({.name = "id", .output = true});
    frame.columns.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        Sampler random(1, i, 0);
        const auto [x, y] = random.next2();
        frame.columns[place][i] = {x, y, random.next(), 0};
        frame.columns[moves][i] = float4(velocity);
        frame.columns[id][i] = i;
    }
    return frame;
}

// The mean over many rays through the cube, along x.
float mean_depth(const Mist& mist) {
    float sum = 0;
    constexpr int rays = 400;
    for (std::uint32_t k = 0; k < rays; ++k) {
        const auto [y, z] = Sampler(2, k, 0).next2();
        sum += mist.depth({{-1, 0.1f + 0.8f * y, 0.1f + 0.8f * z}, {1, 0, 0}}, 10);
    }
    return sum / rays;
}

TEST(Mist, HidesAsMuchAsItsDropsDo) {
    constexpr std::size_t count = 100'000;
    constexpr double radius = 0.002;
    const double expected = count * 3.14159265 * radius * radius; // their cross sections, on a unit face
    for (const double cell : {0.01, 0.02})
        EXPECT_NEAR(mean_depth({drops_in_cube(count, radius), {.cell = cell}}), expected, 0.08 * expected);
}

TEST(Mist, MovingDropsHideNoMoreAndNoLess) {
    const Frame still = drops_in_cube(50'000, 0.002), moving = drops_in_cube(50'000, 0.002, {3, 0, 0});
    EXPECT_NEAR(mean_depth({moving, {.cell = 0.02, .shutter = 0.02}}), mean_depth({still, {.cell = 0.02}}), 0.01);
}

TEST(Mist, IsTheSameSeenFromBothSides) {
    const Mist mist(drops_in_cube(20'000, 0.003), {.cell = 0.03});
    for (std::uint32_t k = 0; k < 50; ++k) {
        Sampler random(3, k, 0);
        const auto [a, b] = random.next2();
        const auto [c, d] = random.next2();
        const Vec3f from{-0.5f, a, b}, to{1.5f, c, d};
        const float way = length(to - from);
        const float there = mist.depth({from, normalized(to - from)}, way);
        EXPECT_NEAR(mist.depth({to, normalized(from - to)}, way), there, 0.01f * there + 1e-4f);
    }
}

TEST(Mist, LightMeetsDropsAsOftenAsTheDepthSays) {
    const Mist mist(drops_in_cube(100'000, 0.0015), {.cell = 0.02});
    const Ray ray{{-1, 0.5f, 0.5f}, {1, 0, 0}};
    int met = 0;
    constexpr int rays = 4000;
    for (std::uint32_t k = 0; k < rays; ++k) {
        Sampler sampler(4, k, 0);
        if (const auto at = mist.meets(ray, 10, sampler)) {
            ++met;
            EXPECT_GT(*at, 0.9f);
            EXPECT_LT(*at, 2.1f);
        }
    }
    EXPECT_NEAR(static_cast<float>(met) / rays, 1 - std::exp(-mean_depth(mist)), 0.05f);
}

TEST(Mist, NothingHidesNothing) {
    const Mist mist(drops_in_cube(0, 0.1), {.cell = 0.1});
    EXPECT_TRUE(mist.empty());
    EXPECT_EQ(mist.depth({{0, 0, 0}, {1, 0, 0}}, 10), 0);
}

TEST(Mist, DropsFarApartTakeLittleMemory) {
    Frame frame = drops_in_cube(1000, 0.01);
    auto* const places = reinterpret_cast<Float4*>(frame.columns.bytes(frame.columns.find("position")));
    places[0] = {1e5f, 1e5f, -1e5f, 0};
    const Mist mist(frame, {.cell = 0.01});
    EXPECT_GT(mist.cell(), 0.01);
}

// A thick cloud is white, a thin one is hardly seen; the same for any number of threads.
TEST(Mist, ThickCloudsAreWhite) {
    const auto seen = [](std::size_t count, int threads) {
        World world;
        world.set_mist(Mist(drops_in_cube(count, 0.003), {.cell = 0.05}));
        EXPECT_TRUE(world.commit());
        Light light;
        light.sky.horizon = light.sky.zenith = light.sky.below = {0.2f, 0.2f, 0.2f};
        TraceOptions options{.size = {16, 16}, .samples = 32, .denoise = false};
        const Lens lens({{0.5, 0.5, 5}, {0.5, 0.5, 0.5}, 8}, options.size);
        return with_threads(threads, [&] { return trace(world, lens, light, options); }).pixels;
    };
    const auto mean = [](const std::vector<Color>& pixels) {
        Color sum;
        for (const Color& c : pixels) sum += c;
        return luminance(sum) / static_cast<float>(pixels.size());
    };
    const std::vector<Color> thick = seen(400'000, 1);
    EXPECT_GT(mean(thick), 0.55f);
    EXPECT_LT(mean(thick), 1.4f);
    EXPECT_LT(mean(seen(300, 1)), 0.25f);
    EXPECT_EQ(thick, seen(400'000, 3));
}

} // namespace
} // namespace loam
