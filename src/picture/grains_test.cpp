#include "picture/grains.h"

#include <gtest/gtest.h>

#include "base/threads.h"
#include "picture/particles_shown.h"
#include "run/load.h"

namespace loam {
namespace {

constexpr double spacing = 0.1;
constexpr int grains = 8;

// A block of 4 x 4 x 4 particles, each moved by `move`.
template <class Move> Frame block(std::uint64_t number, const Move& move) {
    Frame frame;
    frame.header.frame = number;
    frame.header.particle_radius = spacing / 2;
    const auto id = frame.columns.declare<std::uint32_t>({.name = "id"});
    const auto body = frame.columns.declare<std::uint32_t>({.name = "body"});
    const auto position = frame.columns.declare<Float4>({.name = "position"});
    frame.columns.resize(64);
    for (std::uint32_t i = 0; i < 64; ++i) {
        const Vec3d p = move(spacing * Vec3d{double(i % 4), double(i / 4 % 4), double(i / 16)});
        frame.columns[id][i] = i;
        frame.columns[body][i] = 0;
        frame.columns[position][i] = {float(p.x), float(p.y), float(p.z), 0};
    }
    return frame;
}

const auto still = [](const Vec3d& p) { return p; };

TEST(Grains, AreAlwaysTheSame) {
    const Grain a = grain_of(7, 3, 24, 0.1f), b = grain_of(7, 3, 24, 0.1f);
    EXPECT_EQ(a.offset, b.offset);
    EXPECT_NE(a.offset, grain_of(7, 4, 24, 0.1f).offset);
    EXPECT_LT(grain_of(7, 3, 1000, 0.1f).radius, a.radius);
}

TEST(Grains, FadeIntoASkinAsSandGetsWet) {
    EXPECT_EQ(skin_of(0), 0);
    EXPECT_EQ(skin_of(1), 1);
    EXPECT_LT(skin_of(0.4f), skin_of(0.6f));
}

TEST(AdvectedGrains, MoveWithABodyThatMovesAsOneAlsoAtItsRim) {
    AdvectedGrains carried(0, grains);
    carried.advance(block(0, still));
    std::vector<Vec3f> start;
    for (std::uint32_t id = 0; id < 64; ++id)
        for (const Vec3f& g : carried.of(id)) start.push_back(g);
    ASSERT_EQ(start.size(), 64u * grains);
    carried.advance(block(1, [](const Vec3d& p) { return p + Vec3d{0.3, -0.2, 0.1}; }));
    std::size_t k = 0;
    for (std::uint32_t id = 0; id < 64; ++id)
        for (const Vec3f& g : carried.of(id)) EXPECT_LT(length(g - start[k++] - Vec3f{0.3f, -0.2f, 0.1f}), 1e-5f);
    EXPECT_EQ(carried.frame(), 1u);
}

TEST(AdvectedGrains, AreSpreadByTheFlowWhereFixedOnesAreNot) {
    AdvectedGrains carried(0, grains);
    carried.advance(block(0, still));
    const std::vector<Vec3f> start(carried.of(21).begin(), carried.of(21).end());
    carried.advance(block(1, [](const Vec3d& p) { return p + Vec3d{0.3 * p.y, 0, 0}; })); // shear
    float most = 0;
    for (std::size_t g = 0; g < start.size(); ++g) {
        const float higher = start[g].y - start[0].y,
                    further = (carried.of(21)[g] - start[g]).x - (carried.of(21)[0] - start[0]).x;
        EXPECT_TRUE(std::abs(higher) < 0.02f || further * higher > 0);
        most = std::max(most, std::abs(further));
    }
    EXPECT_GT(most, 0.005f);
}

TEST(AdvectedGrains, StayWithinReachOfTheirParticle) {
    AdvectedGrains carried(0, grains);
    carried.advance(block(0, still));
    for (std::uint64_t k = 1; k < 6; ++k) {
        const double far = 1.0 + static_cast<double>(k); // everything flies apart
        const Frame frame = block(k, [&](const Vec3d& p) { return far * p; });
        carried.advance(frame);
        const auto* at = reinterpret_cast<const Float4*>(frame.columns.bytes(frame.columns.find("position")));
        for (std::uint32_t id = 0; id < 64; ++id)
            for (const Vec3f& g : carried.of(id)) EXPECT_LT(length(g - at[id].xyz()), 1.21 * spacing);
    }
}

TEST(AdvectedGrains, ComeAndGoWithParticles) {
    AdvectedGrains carried(0, grains);
    Frame few = block(0, still), all = block(1, still);
    few.columns.resize(60);
    carried.advance(few);
    EXPECT_TRUE(carried.of(63).empty());
    carried.advance(all);
    EXPECT_EQ(carried.of(63).size(), std::size_t{grains});
    few.header.frame = 2;
    carried.advance(few);
    EXPECT_EQ(carried.size(), 60u * grains);
}

TEST(AdvectedGrains, SameBitsForAnyNumberOfThreads) {
    const auto carried = [] {
        AdvectedGrains sand(0, 100);
        sand.advance(block(0, still));
        sand.advance(block(1, [](const Vec3d& p) { return p + Vec3d{0.1 * p.y * p.z, 0.2 * p.x, 0}; }));
        std::vector<Vec3f> all;
        for (std::uint32_t id = 0; id < 64; ++id) all.insert(all.end(), sand.of(id).begin(), sand.of(id).end());
        return all;
    };
    EXPECT_EQ(with_threads(1, carried), with_threads(3, carried));
}

// A heap on a floor, and one particle that is thrown over it.
struct Thrown {
    Scene scene;
    std::uint32_t body = 0;

    static Result<Scene> read() {
        return read_scene(
            R"({"particle_radius": 0.05, "behaviors": {"gravity": {}}, "bodies": {
                 "sand": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}, "behaviors": {"sand": {}}},
                 "floor": {"shape": {"box": {"min": [-9, -1, -9], "max": [9, 0, 9]}}, "boundary": {}}}})",
            "test", known_registries());
    }
    static Vec3d lying(std::uint32_t i) { return spacing * Vec3d{double(i % 5), 0.5 + i / 25, double(i / 5 % 5)}; }
    // 5 x 3 x 5 particles that lie, and one that flies.
    static Frame frame(std::uint64_t number, double time, const Vec3d& flies) {
        Frame frame;
        frame.header.frame = number, frame.header.time = time, frame.header.particle_radius = spacing / 2;
        const auto id = frame.columns.declare<std::uint32_t>({.name = "id"});
        const auto body = frame.columns.declare<std::uint32_t>({.name = "body"});
        const auto position = frame.columns.declare<Float4>({.name = "position"});
        frame.columns.resize(76);
        for (std::uint32_t i = 0; i < 76; ++i) {
            const Vec3d p = i < 75 ? lying(i) : flies;
            frame.columns[id][i] = i, frame.columns[body][i] = 0;
            frame.columns[position][i] = {float(p.x), float(p.y), float(p.z), 0};
        }
        return frame;
    }
};

TEST(LooseGrains, FlyOnTheirOwnAndLand) {
    const Result<Scene> scene = Thrown::read();
    ASSERT_TRUE(scene);
    AdvectedGrains carried(0, grains, &*scene);
    constexpr double frame_time = 0.04;
    const auto widest = [&] {
        float most = 0;
        for (const Vec3f& a : carried.of(75))
            for (const Vec3f& b : carried.of(75)) most = std::max(most, length(a - b));
        return most;
    };
    // It flies over the heap, falls, and stays where it is on the floor.
    Vec3d at{-1, 1.2, 0.2}, velocity{4, 1, 0};
    carried.advance(Thrown::frame(0, 0, at));
    const float together = widest();
    for (std::uint64_t k = 1; k < 40; ++k) {
        velocity += frame_time * Vec3d{0, -9.81, 0};
        if (at.y + frame_time * velocity.y < 0.05) velocity = {};
        at += frame_time * velocity;
        carried.advance(Thrown::frame(k, frame_time * static_cast<double>(k), at));
        if (k == 12) {
            EXPECT_GT(widest(), 1.3f * together); // they spread in the air
        }
    }
    ASSERT_EQ(carried.flights_of(75).size(), std::size_t{grains});
    for (int g = 0; g < grains; ++g) {
        const auto n = static_cast<std::size_t>(g);
        const Vec3f p = carried.of(75)[n];
        EXPECT_EQ(carried.flights_of(75)[n].w, 1);
        EXPECT_LT(length(carried.flights_of(75)[n].xyz()), 0.2f); // none hangs in the air or goes on
        EXPECT_GT(p.y, 0);
        EXPECT_LT(p.y, 0.15f);
    }
    for (std::uint32_t id = 0; id < 75; ++id) // those of the heap have not moved
        for (const Vec3f& g : carried.of(id)) EXPECT_LT(length(Vec3d{g.x, g.y, g.z} - Thrown::lying(id)), 0.13);
}

TEST(LooseGrains, LieOnTheHeapAndMoveWithIt) {
    const Result<Scene> scene = Thrown::read();
    ASSERT_TRUE(scene);
    AdvectedGrains carried(0, grains, &*scene);
    double y = 0.8;
    carried.advance(Thrown::frame(0, 0, {0.2, y, 0.2}));
    for (std::uint64_t k = 1; k < 30; ++k) {
        y = std::max(0.35, y - 0.04 * 9.81 * 0.04 * static_cast<double>(k));
        carried.advance(Thrown::frame(k, 0.04 * static_cast<double>(k), {0.2, y, 0.2}));
    }
    for (const Vec3f& p : carried.of(75)) {
        EXPECT_GT(p.y, 0.15f);
        EXPECT_LT(p.y, 0.45f);
    }
    const std::vector<Vec3f> lay(carried.of(75).begin(), carried.of(75).end());
    Frame next = Thrown::frame(30, 1.2, {0.2, y, 0.2});
    auto* const at = reinterpret_cast<Float4*>(next.columns.bytes(next.columns.find("position")));
    for (std::size_t i = 0; i < 76; ++i) at[i].x += 0.3f;
    carried.advance(next);
    for (std::size_t g = 0; g < lay.size(); ++g) EXPECT_NEAR(carried.of(75)[g].x - lay[g].x, 0.3f, 0.02f);
}

// Of a block all but its two outer layers.
TEST(Buried, AreThoseBelowTwoLayers) {
    Frame frame;
    frame.header.particle_radius = spacing / 2;
    const auto body = frame.columns.declare<std::uint32_t>({.name = "body"});
    const auto position = frame.columns.declare<Float4>({.name = "position"});
    frame.columns.resize(7 * 7 * 7);
    for (std::uint32_t i = 0; i < frame.columns.size(); ++i) {
        frame.columns[body][i] = 0;
        frame.columns[position][i] = {0.1f * float(i % 7), 0.1f * float(i / 7 % 7), 0.1f * float(i / 49), 0};
    }
    const std::vector<std::uint8_t> hidden = buried(frame, 0);
    for (std::uint32_t i = 0; i < hidden.size(); ++i) {
        const auto deep = [](std::uint32_t k) { return k > 1 && k < 5; };
        EXPECT_EQ(hidden[i] != 0, deep(i % 7) && deep(i / 7 % 7) && deep(i / 49)) << i;
    }
    Look sand;
    sand.form = Look::Form::grains, sand.grains = grains;
    EXPECT_EQ(spheres_of(frame, Scene{}, 0, sand, {}).places.size(), std::size_t{(343 - 27) * grains});
}

TEST(Grains, DifferByTheSeed) {
    EXPECT_NE(grain_of(7, 3, 24, 0.1f, 1).offset, grain_of(7, 3, 24, 0.1f).offset);
    Look one;
    one.form = Look::Form::grains, one.grains = grains;
    Look other = one;
    other.seed = 5;
    const Frame frame = block(0, still);
    const Spheres a = spheres_of(frame, Scene{}, 0, one, {}), b = spheres_of(frame, Scene{}, 0, other, {});
    ASSERT_EQ(a.colors.size(), b.colors.size());
    EXPECT_FALSE(a.colors[0] == b.colors[0]);
}

// A particle of an eighth of the volume has grains of half the size, in half the room.
Frame with_volumes(Frame frame, float share) {
    const auto volume = frame.columns.declare<float>({.name = "volume"});
    frame.header.particle_volume = 1e-3;
    for (float& v : frame.columns[volume]) v = 1e-3f * share;
    return frame;
}

TEST(AdvectedGrains, OfSmallParticlesStayNearThem) {
    const auto farthest = [](const AdvectedGrains& carried) {
        float most = 0;
        for (std::uint32_t id = 0; id < 64; ++id) {
            const Vec3f middle{0.1f * float(id % 4), 0.1f * float(id / 4 % 4), 0.1f * float(id / 16)};
            for (const Vec3f& g : carried.of(id)) most = std::max(most, length(g - middle));
        }
        return most;
    };
    AdvectedGrains full(0, grains), small(0, grains), shrinking(0, grains);
    full.advance(block(0, still));
    small.advance(with_volumes(block(0, still), 0.125f));
    EXPECT_NEAR(farthest(small), 0.5f * farthest(full), 1e-5f);
    shrinking.advance(with_volumes(block(0, still), 1));
    EXPECT_NEAR(farthest(shrinking), farthest(full), 1e-5f);
    shrinking.advance(with_volumes(block(1, still), 1e-3f));
    EXPECT_LT(farthest(shrinking), 0.013f);
}

TEST(Spheres, AreAsLargeAsTheirParticles) {
    Frame frame = with_volumes(block(0, still), 1);
    const auto volume = frame.columns[Column<float>{frame.columns.find("volume")}];
    volume[1] = 1e-3f / 8, volume[2] = 0;
    const Spheres spheres = spheres_of(frame, Scene{}, 0, {}, {});
    ASSERT_EQ(spheres.places.size(), 63u); // nothing is left of the third one
    EXPECT_FLOAT_EQ(spheres.places[0].w, 0.05f);
    EXPECT_FLOAT_EQ(spheres.places[1].w, 0.025f);
    EXPECT_FLOAT_EQ(spheres.places[2].w, 0.05f);
    EXPECT_FLOAT_EQ(spheres.places[2].x, 0.3f);
}

TEST(Spheres, OfGrainsShrinkWithTheirParticle) {
    Frame frame = with_volumes(block(0, still), 0.125f);
    Look sand;
    sand.form = Look::Form::grains, sand.grains = grains;
    const Spheres small = spheres_of(frame, Scene{}, 0, sand, {}),
                  full = spheres_of(block(0, still), Scene{}, 0, sand, {});
    ASSERT_EQ(small.places.size(), std::size_t{64} * grains);
    for (std::size_t k = 0; k < small.places.size(); ++k) EXPECT_FLOAT_EQ(small.places[k].w, 0.5f * full.places[k].w);
}

} // namespace
} // namespace loam
