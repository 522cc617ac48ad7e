#include "surface/embed.h"

#include <functional>

#include <gtest/gtest.h>

#include "surface/march.h"
#include "surface/test_fields.h"

namespace loam {
namespace {

using Motion = std::function<Vec3d(const Vec3d&)>;

std::vector<Vec3d> moved(std::vector<Vec3d> points, const Motion& motion) {
    for (Vec3d& p : points) p = motion(p);
    return points;
}

std::vector<Vec3d> sphere_vertices(double radius) {
    const Bounds box = Bounds{{-radius, -radius, -radius}, {radius, radius, radius}}.grown(0.1);
    const SurfaceMesh mesh = march(test::field_of(box, 0.1, [&](const Vec3d& p) { return radius - length(p); }));
    std::vector<Vec3d> vertices;
    for (const Vec3f& v : mesh.vertices) vertices.push_back({v.x, v.y, v.z});
    return vertices;
}

// Vertices go where the motion takes them.
void expect_follows(std::vector<Vec3d> vertices, const std::vector<Vec3d>& particles, const Motion& motion,
                    double error) {
    const Result<EmbeddedMesh> mesh = EmbeddedMesh::create(vertices, particles, 0.1);
    ASSERT_TRUE(mesh) << mesh.error().text();
    const std::vector<Vec3d> now = mesh->deformed(moved(particles, motion));
    double worst = 0;
    for (std::size_t i = 0; i < vertices.size(); ++i) worst = std::max(worst, length(now[i] - motion(vertices[i])));
    EXPECT_LT(worst, error);
}

const Motion still = [](const Vec3d& p) { return p; };
const Motion turn = [](const Vec3d& p) { // by 1.2 rad about z, then away
    return Vec3d{std::cos(1.2) * p.x - std::sin(1.2) * p.y + 3, std::sin(1.2) * p.x + std::cos(1.2) * p.y, p.z - 1};
};
const Motion stretch = [](const Vec3d& p) { return Vec3d{2 * p.x + 0.3 * p.y, 0.5 * p.y, p.z - 0.4 * p.x}; };

TEST(Embed, LinearMotionsAreExact) {
    const std::vector<Vec3d> particles = test::ball(0.6, 0.1, 0.2).positions;
    for (const Motion& motion : {still, turn, stretch}) expect_follows(sphere_vertices(0.7), particles, motion, 1e-5);
}

TEST(Embed, BendingIsFollowedClosely) {
    const Motion bend = [](const Vec3d& p) { // a bar around a circle of radius 2
        return Vec3d{(2 - p.y) * std::sin(p.x / 2), 2 - (2 - p.y) * std::cos(p.x / 2), p.z};
    };
    const auto particles = test::lattice(0.1, {{-1, -0.2, -0.2}, {1, 0.2, 0.2}}, 0, [](const Vec3d&) { return true; });
    expect_follows({{-0.9, 0.21, 0.1}, {0, -0.21, 0}, {0.33, 0.15, 0.22}, {0.97, 0.1, -0.15}}, particles.positions,
                   bend, 0.01);
}

TEST(Embed, SheetsAndThreadsTurn) {
    const auto sheet =
        test::lattice(0.1, {{-0.5, -0.5, -0.05}, {0.5, 0.5, 0.05}}, 0, [](const Vec3d&) { return true; });
    expect_follows({{0.1, 0.2, 0.06}, {-0.3, 0.4, -0.05}}, sheet.positions, turn, 1e-6);
    std::vector<Vec3d> thread;
    for (int k = 0; k < 10; ++k) thread.push_back({0.1 * k, 0, 0});
    expect_follows({{0.5, 0, 0.02}, {0.72, 0.03, 0}}, thread, turn, 1e-6);
    expect_follows(
        {{0.1, 0.05, 0}}, {{0, 0, 0}},
        [](const Vec3d& p) {
            return p + Vec3d{1, 2, 3};
        },
        1e-12);
}

TEST(Embed, FarVerticesFollowTheNearestParticles) {
    expect_follows({{0, 3, 0}}, test::ball(0.3, 0.1).positions, stretch, 1e-5);
}

TEST(Embed, RefusesWhatCannotBeLinked) {
    const std::vector<Vec3d> one{{0, 0, 0}}, bad{{NAN, 0, 0}};
    EXPECT_FALSE(EmbeddedMesh::create(one, {}, 0.1));
    EXPECT_FALSE(EmbeddedMesh::create(one, bad, 0.1));
    EXPECT_FALSE(EmbeddedMesh::create(bad, one, 0.1));
    EXPECT_FALSE(EmbeddedMesh::create(one, one, 0));
}

} // namespace
} // namespace loam
