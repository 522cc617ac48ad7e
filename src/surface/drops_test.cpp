// Drops of a few particles and threads one particle across: as large as their particles, and in one piece.
#include <algorithm>

#include <gtest/gtest.h>

#include "surface/surface.h"
#include "surface/test_fields.h"

namespace loam {
namespace {

constexpr double spacing = 0.1;

SurfaceMesh surface_of(const SurfaceParticles& particles, double cell = 0.02) {
    auto maker = SurfaceMaker::create("anisotropic", {});
    Result<SurfaceMesh> mesh = (*maker)->make(particles, {.cell = cell, .isa = best_instruction_set()});
    EXPECT_TRUE(mesh);
    return mesh ? std::move(*mesh) : SurfaceMesh{};
}

// The particles of a jittered lattice that are nearest to a point.
SurfaceParticles drop_of(std::size_t count, double jitter, const Vec3d& middle) {
    SurfaceParticles particles =
        test::lattice(spacing, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, jitter, [](const Vec3d&) { return true; });
    std::sort(particles.positions.begin(), particles.positions.end(),
              [&](const Vec3d& a, const Vec3d& b) { return length(a - middle) < length(b - middle); });
    particles.positions.resize(count);
    return particles;
}

class Drops : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Of, Drops, testing::Values(1, 2, 4, 8, 16, 30, 64));

TEST_P(Drops, HaveTheVolumeOfTheirParticles) {
    for (const double jitter : {0.0, 0.1, 0.25})
        for (const Vec3d& middle : {Vec3d{0.003, 0.002, 0.001}, Vec3d{0.053, 0.052, 0.051}}) {
            const SurfaceParticles drop = drop_of(GetParam(), jitter, middle);
            const SurfaceMesh mesh = surface_of(drop);
            EXPECT_NEAR(enclosed_volume(mesh) / drop.volume(), 1, 0.13) << "jitter " << jitter;
            EXPECT_EQ(topology(mesh).components, 1u) << "jitter " << jitter;
            EXPECT_EQ(topology(mesh).euler, 2) << "jitter " << jitter;
        }
}

TEST_P(Drops, OfFlatScenesToo) {
    SurfaceParticles drop = drop_of(GetParam(), 0, {0.003, 0.002, -10});
    for (Vec3d& p : drop.positions) p.z = 0; // the layer nearest to the point
    drop.dimensions = 2;
    const SurfaceMesh mesh = surface_of(drop, 0.01);
    EXPECT_NEAR(enclosed_volume(mesh) / drop.volume(), 1, 0.15);
    EXPECT_EQ(topology(mesh).components, 1u);
}

// As drawn out as neighborhoods reach, a thread thins evenly and keeps its volume.
TEST(Threads, AreOnePieceAndEven) {
    for (const double apart : {0.8, 1.0, 1.2, 1.5, 1.8}) {
        SurfaceParticles thread{.radius = spacing / 2};
        for (int k = 0; k < 20; ++k) thread.positions.push_back({0.013, 0.007 + apart * spacing * k, 0.011});
        const SurfaceMesh mesh = surface_of(thread);
        EXPECT_EQ(topology(mesh).components, 1u) << apart;
        EXPECT_NEAR(enclosed_volume(mesh) / thread.volume(), 1, 0.13) << apart;
        double widest = 0, thinnest = 1;
        for (const Vec3f& v : mesh.vertices) {
            if (v.y < 5 * apart * spacing || v.y > 15 * apart * spacing) continue;
            const double r = std::hypot(v.x - 0.013, v.z - 0.011);
            widest = std::max(widest, r), thinnest = std::min(thinnest, r);
        }
        EXPECT_LT(widest, 1.05 * thinnest) << apart;
    }
}

TEST(Threads, ThatWobbleAreOnePiece) {
    SurfaceParticles thread{.radius = spacing / 2};
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-0.2, 0.2);
    for (int k = 0; k < 40; ++k)
        thread.positions.push_back(spacing * Vec3d{unit(random), 1.2 * k + unit(random), unit(random)});
    const SurfaceMesh mesh = surface_of(thread);
    EXPECT_EQ(topology(mesh).components, 1u);
    EXPECT_NEAR(enclosed_volume(mesh) / thread.volume(), 1, 0.13);
}

// A layer of single particles is no thicker than they are.
TEST(Films, OfOneLayerHaveTheVolumeOfTheirParticles) {
    const SurfaceParticles film =
        test::lattice(spacing, {{0, 0, 0}, {2, spacing, 2}}, 0.1, [](const Vec3d&) { return true; });
    const SurfaceMesh mesh = surface_of(film);
    EXPECT_EQ(topology(mesh).euler, 2);
    EXPECT_NEAR(enclosed_volume(mesh) / film.volume(), 1, 0.05);
}

// Where water comes apart none of it vanishes: neither of spray, nor of a stream that is drawn out as it falls.
class Thinned : public testing::TestWithParam<double> {};

INSTANTIATE_TEST_SUITE_P(To, Thinned, testing::Values(0.9, 0.7, 0.55, 0.45, 0.35, 0.25, 0.15));

TEST_P(Thinned, SprayKeepsItsVolume) {
    SurfaceParticles spray =
        test::lattice(spacing, {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}}, 0.25, [](const Vec3d&) { return true; });
    for (Vec3d& p : spray.positions) p *= 1 / std::cbrt(GetParam());
    EXPECT_NEAR(enclosed_volume(surface_of(spray)) / spray.volume(), 1, 0.3);
}

TEST_P(Thinned, StreamKeepsItsVolume) {
    SurfaceParticles stream = test::lattice(spacing, {{-0.3, -0.8, -0.3}, {0.3, 0.8, 0.3}}, 0.1,
                                            [](const Vec3d& p) { return std::hypot(p.x, p.z) < 0.26; });
    for (Vec3d& p : stream.positions) p.y /= GetParam();
    EXPECT_NEAR(enclosed_volume(surface_of(stream)) / stream.volume(), 1, 0.3);
}

} // namespace
} // namespace loam
