// Particles that have grown or shrunk: each counts with its own volume.
#include <gtest/gtest.h>

#include "surface/from_frame.h"
#include "surface/particle_area.h"
#include "surface/surface.h"
#include "surface/test_fields.h"

namespace loam {
namespace {

constexpr double spacing = 0.1, one = spacing * spacing * spacing;

SurfaceMesh surface_of(const std::string& method, const SurfaceParticles& particles, double cell) {
    auto maker = SurfaceMaker::create(method, {});
    Result<SurfaceMesh> mesh = (*maker)->make(particles, {.cell = cell, .isa = best_instruction_set()});
    EXPECT_TRUE(mesh) << mesh.error().text();
    return mesh ? std::move(*mesh) : SurfaceMesh{};
}

double mesh_volume(const std::string& method, const SurfaceParticles& particles, double cell) {
    const SurfaceMesh mesh = surface_of(method, particles, cell);
    EXPECT_TRUE(topology(mesh).manifold);
    return enclosed_volume(mesh);
}

bool shows_single_particles(const std::string& method) { return method != "color-field" && method != "surface-value"; }

class Volumes : public testing::TestWithParam<std::string> {};

std::vector<std::string> all_methods() {
    std::vector<std::string> names;
    for (const auto& type : SurfaceMethods::all()) names.push_back(type->declaration.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Each, Volumes, testing::ValuesIn(all_methods()), [](const auto& instance) {
    std::string name = instance.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

// Particles with other volumes, which have come together or made room as a fluid does.
TEST_P(Volumes, ABallHasThatOfItsParticles) {
    for (const double share : {0.125, 0.5, 2.0, 8.0}) {
        const double size = std::cbrt(share);
        SurfaceParticles ball = test::ball(0.8, spacing, 0.1);
        const double full = ball.volume();
        for (Vec3d& p : ball.positions) p *= size;
        ball.sizes.assign(ball.positions.size(), static_cast<float>(size));
        const SurfaceMesh mesh = surface_of(GetParam(), ball, 0.5 * spacing * size);
        EXPECT_NEAR(enclosed_volume(mesh) / full, share, 0.03 * share);
        EXPECT_EQ(topology(mesh).euler, 2) << share; // in one piece, without bubbles
    }
}

TEST_P(Volumes, AFlatDropHasThatOfItsParticles) {
    SurfaceParticles drop = test::lattice(spacing, {{-1, -1, -0.05}, {1, 1, 0.05}}, 0,
                                          [](const Vec3d& p) { return std::hypot(p.x, p.y) < 0.8; });
    drop.dimensions = 2;
    const double full = drop.volume();
    for (Vec3d& p : drop.positions) p *= std::sqrt(0.5);
    drop.sizes.assign(drop.positions.size(), static_cast<float>(std::sqrt(0.5)));
    EXPECT_NEAR(mesh_volume(GetParam(), drop, 0.025) / full, 0.5, 0.05 * 0.5);
}

TEST_P(Volumes, ALoneDropGoesWithItsOwn) {
    if (!shows_single_particles(GetParam())) return; // OneParticleIsADrop holds them to that
    SurfaceParticles drop{.radius = spacing / 2, .positions = {{0.013, 0.007, 0.011}}, .sizes = {1}};
    const double full = mesh_volume(GetParam(), drop, 0.01);
    ASSERT_GT(full, 0.3 * one);
    for (const float size : {0.5f, 2.0f}) {
        drop.sizes = {size};
        EXPECT_NEAR(mesh_volume(GetParam(), drop, 0.01 * size) / (full * size * size * size), 1, 0.04) << size;
    }
}

// On a block, beside it and within it: nothing jumps, and in the end the surface is as if it had never been there.
TEST_P(Volumes, AParticleThatShrinksToNothingLeavesTheSurfaceSmoothly) {
    SurfaceParticles block =
        test::lattice(spacing, {{-0.3, -0.3, -0.3}, {0.3, 0.3, 0.3}}, 0.1, [](const Vec3d&) { return true; });
    block.sizes.assign(block.positions.size(), 1);
    const double without = mesh_volume(GetParam(), block, 0.02);
    for (const Vec3d& at : {Vec3d{0.01, 0.35, 0.02}, Vec3d{0.01, 0.5, 0.02}, Vec3d{0.01, 0.02, 0.03}}) {
        SurfaceParticles more = block;
        more.positions.push_back(at), more.sizes.push_back(1);
        double before = mesh_volume(GetParam(), more, 0.02), gone = 0;
        for (const double share : {0.8, 0.6, 0.4, 0.2, 0.1, 0.01, 1e-4, 1e-8}) {
            more.sizes.back() = static_cast<float>(std::cbrt(share));
            const double now = mesh_volume(GetParam(), more, 0.02);
            EXPECT_LT(std::abs(now - before), 0.5 * one) << share << " at height " << at.y;
            gone += before - now, before = now;
        }
        EXPECT_NEAR(before, without, 1e-4 * one);
        EXPECT_LT(gone, 2 * one);
        more.sizes.back() = 0;
        EXPECT_EQ(mesh_volume(GetParam(), more, 0.02), without);
    }
}

// What is thinned out but has not come together yet is drawn as the spray or sponge that it is.
TEST(OwnVolumes, AnisotropicBallsThatAreThinnedKeepTheirVolume) {
    SurfaceParticles ball = test::ball(0.8, spacing, 0.1);
    ball.sizes.assign(ball.positions.size(), static_cast<float>(std::cbrt(0.5)));
    EXPECT_NEAR(mesh_volume("anisotropic", ball, 0.04) / ball.volume(), 1, 0.15);
}

TEST(OwnVolumes, VanishingParticlesDoNotMoveTheirNeighbors) {
    SurfaceParticles drop{.radius = spacing / 2, .positions = {{0, 0, 0}, {0.1, 0, 0}, {0.05, 0.08, 0}}};
    const double without = mesh_volume("anisotropic", drop, 0.01);
    drop.positions.push_back({0.05, 0.04, 0.08});
    drop.sizes = {1, 1, 1, 0.01f};
    EXPECT_NEAR(mesh_volume("anisotropic", drop, 0.01), without, 1e-3 * without);
}

TEST(OwnVolumes, CarriedColumnsCountByVolume) {
    SurfaceParticles pair{.radius = spacing / 2, .positions = {{0, 0, 0}, {0.05, 0, 0}}, .sizes = {1, 0.1f}};
    pair.body = {0, 1};
    pair.columns = {{"temperature", "K", 1, {300, 1300}}};
    const SurfaceMesh mesh = surface_of("anisotropic", pair, 0.02);
    ASSERT_FALSE(mesh.vertices.empty());
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        EXPECT_NEAR(mesh.columns[0].values[v], 300, 10);
        EXPECT_EQ(mesh.body[v], 0u);
    }
}

TEST(OwnVolumes, DustAddsNoArea) {
    SurfaceParticles ball = test::ball(1, spacing, 0.1);
    const double clean = particle_area(Cloud(ball, InstructionSet::scalar));
    ball.sizes.assign(ball.positions.size(), 1);
    for (const Vec3d& p : test::ball(1, spacing, 0.3).positions) ball.positions.push_back(p);
    ball.sizes.resize(ball.positions.size(), 0.01f);
    EXPECT_NEAR(particle_area(Cloud(ball, InstructionSet::scalar)) / clean, 1, 0.01);
}

TEST(FromFrame, SizesComeFromVolumes) {
    Frame frame;
    frame.header = {.particle_radius = spacing / 2, .bodies = {"water"}, .particle_volume = 0.9 * one};
    const auto position = frame.columns.declare<Float4>({.name = "position"});
    const auto volume = frame.columns.declare<float>({.name = "volume", .unit = "m^3"});
    frame.columns.resize(2);
    frame.columns[position][1] = {1, 0, 0, 0};
    frame.columns[volume][0] = static_cast<float>(0.9 * one);
    frame.columns[volume][1] = static_cast<float>(0.9 * one / 8);
    const Result<SurfaceParticles> particles = particles_of(frame, {});
    ASSERT_TRUE(particles);
    ASSERT_EQ(particles->sizes.size(), 2u);
    EXPECT_EQ(particles->sizes[0], 1);
    EXPECT_FLOAT_EQ(particles->sizes[1], 0.5f);
    EXPECT_TRUE(particles->columns.empty()); // a vertex has no volume
    EXPECT_NEAR(particles->volume(), 1.125 * one, 1e-6 * one);
}

} // namespace
} // namespace loam
