#include "surface/march.h"

#include <gtest/gtest.h>

#include "surface/march_table.h"
#include "surface/test_fields.h"

namespace loam {
namespace {

constexpr double pi = 3.14159265358979323846;

void expect_whole(const SurfaceMesh& mesh, std::int64_t euler) {
    const Topology t = topology(mesh);
    EXPECT_TRUE(t.closed);
    EXPECT_TRUE(t.manifold);
    EXPECT_EQ(t.euler, euler);
    EXPECT_EQ(t.degenerate, 0u);
    EXPECT_GT(enclosed_volume(mesh), 0); // triangles face outwards
}

SurfaceMesh sphere(double radius, double cell) {
    const Vec3d center{0.13, -0.41, 0.27}; // no symmetry with the lattice
    const Bounds box{center - Vec3d{radius, radius, radius}, center + Vec3d{radius, radius, radius}};
    return march(
        test::field_of(box.grown(2 * cell), cell, [&](const Vec3d& p) { return radius - length(p - center); }));
}

// Case U1: an exact distance field of a sphere, R / cell = 4, 8, 16, 32. Marching tetrahedra has volume errors of
// -3.12, -0.783, -0.195 and -0.049 %, area errors of -1.62, -0.403, -0.100 and -0.025 %.
TEST(March, SphereConvergesWithSecondOrder) {
    const double tetrahedra_volume[] = {0.0312, 0.00783, 0.00195, 0.00049};
    const double tetrahedra_area[] = {0.0162, 0.00403, 0.00100, 0.00025};
    double volume_before = 0, area_before = 0;
    for (int k = 0; k < 4; ++k) {
        const SurfaceMesh mesh = sphere(1, 1.0 / (4 << k));
        expect_whole(mesh, 2);
        const double volume_error = std::abs(enclosed_volume(mesh) / (4 * pi / 3) - 1);
        const double area_error = std::abs(area(mesh) / (4 * pi) - 1);
        EXPECT_LT(volume_error, 2 * tetrahedra_volume[k]);
        EXPECT_LT(area_error, 2 * tetrahedra_area[k]);
        if (k > 0) {
            EXPECT_NEAR(std::log2(volume_before / volume_error), 2, 0.1);
            EXPECT_NEAR(std::log2(area_before / area_error), 2, 0.15);
        }
        volume_before = volume_error, area_before = area_error;
    }
}

TEST(March, TorusHasOneHole) {
    const SurfaceMesh mesh = march(test::field_of({{-2, -1, -2}, {2, 1, 2}}, 0.09, [](const Vec3d& p) {
        return 0.5 - std::hypot(std::hypot(p.x, p.z) - 1.2, p.y);
    }));
    expect_whole(mesh, 0);
    EXPECT_NEAR(enclosed_volume(mesh), 2 * pi * pi * 1.2 * 0.25, 0.01 * 2 * pi * pi * 1.2 * 0.25);
}

// Signs at random have every case of the table in them, ambiguous faces first of all.
TEST(March, RandomSignsGiveAClosedManifold) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> value(-1, 1);
    for (int round = 0; round < 5; ++round) {
        const SurfaceMesh mesh = march(test::field_of({{-16, -16, -16}, {15, 15, 15}}, 1, [&](const Vec3d& p) {
            const double rim = std::max({std::abs(p.x + 0.5), std::abs(p.y + 0.5), std::abs(p.z + 0.5)});
            return rim > 14 ? -1 : value(random);
        }));
        const Topology t = topology(mesh);
        EXPECT_TRUE(t.closed);
        EXPECT_TRUE(t.manifold);
        EXPECT_EQ(t.degenerate, 0u);
        EXPECT_GT(mesh.triangles.size(), 50000u);
    }
}

TEST(March, ValuesOfExactlyZeroAreNoTrouble) {
    const SurfaceMesh mesh = march(test::field_of({{-4, -4, -4}, {4, 4, 4}}, 0.5, [](const Vec3d& p) {
        return 2 - std::abs(p.x) - std::abs(p.y) - std::abs(p.z);
    }));
    expect_whole(mesh, 2);
}

// The saddle of a face decides, so thin bridges and thin gaps both show.
TEST(March, DoubtfulFacesAreDecidedByTheirSaddle) {
    const auto pieces = [](double bridge) {
        const SurfaceMesh mesh = march(test::field_of({{-2, -2, -2}, {9, 9, 9}}, 1, [&](const Vec3d& p) {
            if (p == Vec3d{3, 3, 3} || p == Vec3d{4, 4, 3}) return 1.0;
            return p == Vec3d{3, 4, 3} || p == Vec3d{4, 3, 3} ? -bridge : -10.0;
        }));
        return topology(mesh).components;
    };
    EXPECT_EQ(pieces(0.5), 1u); // 1 * 1 > 0.5 * 0.5
    EXPECT_EQ(pieces(2), 2u);
}

TEST(March, NothingGivesNothing) {
    EXPECT_TRUE(march(SparseField{}).triangles.empty());
    EXPECT_TRUE(march(test::field_of({{0, 0, 0}, {1, 1, 1}}, 0.1, [](const Vec3d&) { return -1; })).vertices.empty());
}

TEST(SparseField, AsksForBlocksThatTheSurfaceReaches) {
    // One block of a sphere that is three blocks wide: every side is missing.
    const auto value = [](const Vec3d& p) { return 10 - length(p - Vec3d{4, 4, 4}); };
    SparseField field = test::field_of({{0, 0, 0}, {7, 7, 7}}, 1, value);
    ASSERT_EQ(field.keys.size(), 1u);
    while (true) {
        const std::vector<BlockKey> more = missing_blocks(field);
        if (more.empty()) break;
        std::vector<float> values;
        for (const BlockKey key : more) {
            const BlockPlace at = place_of(key);
            const Vec3d lo{8.0 * at.x, 8.0 * at.y, 8.0 * at.z};
            const SparseField one = test::field_of({lo, lo + Vec3d{7, 7, 7}}, 1, value);
            values.insert(values.end(), one.values.begin(), one.values.end());
        }
        add_blocks(field, more, values);
    }
    expect_whole(march(field), 2);
    EXPECT_NEAR(enclosed_volume(march(field)), 4 * pi / 3 * 1000, 0.01 * 4188);
}

} // namespace
} // namespace loam
