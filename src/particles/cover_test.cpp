#include <numbers>

#include <tbb/global_control.h>

#include "particles/point_grid.h"
#include "particles/sampling.h"
#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;

// Random points on the surface that is covered.
std::vector<Vec3d> thrown(const Shape& solid, double depth, int count, int dimensions) {
    Sequence random(42);
    const Bounds b = solid.bounds().grown(depth);
    std::vector<Vec3d> found;
    for (int tries = 0; static_cast<int>(found.size()) < count && tries < 200 * count; ++tries) {
        Vec3d in = random_in(random, b), out = random_in(random, b);
        if (dimensions == 2) in.z = out.z = 0;
        if (solid.eroded(in, depth) > 0) std::swap(in, out);
        if (solid.eroded(in, depth) > 0 || solid.eroded(out, depth) < 0) continue;
        for (int i = 0; i < 40; ++i) {
            const Vec3d middle = 0.5 * (in + out);
            (solid.eroded(middle, depth) < 0 ? in : out) = middle;
        }
        if (solid.on_patch(in)) found.push_back(in);
    }
    return found;
}

struct Quality {
    double gap = 0, closest = 1e300,
           off = 0; // largest gap, smallest distance of two points, largest |distance + depth|
};

Quality quality(const Shape& solid, const std::vector<SurfacePoint>& points, double spacing, double depth,
                int dimensions) {
    PointGrid grid(2 * spacing);
    Quality q;
    for (const SurfacePoint& p : points) {
        grid.near(p.position, 2 * spacing, [&](std::uint32_t, double r2) {
            q.closest = std::min(q.closest, std::sqrt(r2));
            return false;
        });
        grid.add(p.position);
        q.off = std::max(q.off, std::abs(solid.eroded(p.position, depth)));
    }
    for (const Vec3d& at : thrown(solid, depth, 4000, dimensions)) {
        double near = 2 * spacing;
        grid.near(at, 2 * spacing, [&](std::uint32_t, double r2) {
            near = std::min(near, std::sqrt(r2));
            return false;
        });
        q.gap = std::max(q.gap, near);
    }
    return q;
}

void check(const std::string& name, const ShapePtr& solid, double spacing, int dimensions = 3) {
    const double depth = 0.5 * spacing;
    const auto points = cover(*solid, spacing, depth, 1, dimensions);
    ASSERT_TRUE(points) << name << ": " << points.error().text();
    const Quality q = quality(*solid, *points, spacing, depth, dimensions);
    EXPECT_LE(q.gap, 1.06 * spacing) << name;
    EXPECT_GE(q.closest, 0.6 * spacing) << name;
    EXPECT_LE(q.off, 0.03 * spacing) << name;
    for (const SurfacePoint& p : *points) {
        ASSERT_NEAR(length(p.normal), 1, 1e-6) << name;
        if (dimensions == 2) {
            ASSERT_EQ(p.position.z, 0);
        }
    }
}

TEST(Cover, LeavesNoGaps) {
    check("ball", ball({0, 0, 0}, 1), 0.1);
    check("tank", invert(box({0, 0, 0}, {1, 0.83, 0.57})), 0.05);
    check("block", box({0, 0, 0}, {1, 0.83, 0.57}), 0.05);
    check("torus", make("torus", {{"axis", Vec3d{1, 1, 0}}, {"radius", 0.5}, {"tube", 0.2}}), 0.05);
    check("cone", make("cone", {{"to", Vec3d{0.2, 0.8, 0}}, {"radius_from", 0.4}, {"radius_to", 0.1}}), 0.04);
    check("drilled", subtract(box({0, 0, 0}, {1, 1, 1}), {ball({0.5, 1, 0.5}, 0.3)}), 0.05);
    check("tank with pillar", unite({invert(box({0, 0, 0}, {1, 1, 1})), ball({0.4, 0, 0.4}, 0.27)}), 0.05);
    check("smooth", unite({ball({0, 0, 0}, 0.5), ball({0.6, 0, 0}, 0.4)}, 0.2), 0.05);
    check("turned", place(invert(box({0, 0, 0}, {1, 0.83, 0.57})), {{0, 0, 0}, {1, 2, 3}, 0.5, 1}), 0.05);
    check("plane", make("plane", {{"normal", Vec3d{0.2, 1, 0.1}}}), 0.05);
    check("terrain", make("heightfield", {}), 0.02);
}

TEST(Cover, LeavesNoGapsIn2D) {
    const ShapeContext flat{"", 2, 0.02};
    check("circle", make("circle", {{"radius", 0.5}}, flat), 0.02, 2);
    check("tank", invert(make("box", {{"max", Vec3d{1, 0.77, 0}}}, flat)), 0.02, 2);
    check("line", make("plane", {{"normal", Vec3d{0.2, 1, 0}}}, flat), 0.02, 2);
    check("hills", make("heightfield", {}, flat), 0.02, 2);
}

TEST(Cover, PlatesOfAnyThicknessHaveTheirLayer) {
    for (const double thickness : {0.04, 0.0401, 0.041, 0.045, 0.05, 0.06, 0.08}) {
        const auto points = cover(*box({0, 0, 0}, {0.8, thickness, 0.8}), 0.04, 0.02, 1, 3);
        ASSERT_TRUE(points);
        EXPECT_GE(points->size(), 400u) << thickness;
    }
}

TEST(Cover, TankIsARegularLattice) {
    const double s = 0.1;
    const auto points = cover(*invert(box({0, 0, 0}, {1, 0.8, 0.6})), s, 0.5 * s, 1, 3);
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), 12u * 10u * 8u - 10u * 8u * 6u); // the hull of a lattice with corners
    for (const SurfacePoint& p : *points)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double place = p.position[axis] / s + 0.5;
            ASSERT_NEAR(place, std::round(place), 1e-4);
        }
}

TEST(Cover, LayersLieBelowEachOther) {
    const double s = 0.1;
    const auto points = cover(*invert(box({0, 0, 0}, {1, 1, 1})), s, 0.5 * s, 2, 3);
    ASSERT_TRUE(points);
    const std::size_t first = 12 * 12 * 12 - 10 * 10 * 10, second = 14 * 14 * 14 - 12 * 12 * 12;
    EXPECT_EQ(points->size(), first + second);
    EXPECT_EQ(points->front().layer, 0);
    EXPECT_EQ(points->back().layer, 1);
}

TEST(Cover, NormalsLeadOutOfTheSolid) {
    const auto tank = cover(*invert(box({0, 0, 0}, {1, 1, 1})), 0.1, 0.05, 1, 3);
    for (const SurfacePoint& p : *tank) EXPECT_GT(dot(p.normal, Vec3d{0.5, 0.5, 0.5} - p.position), 0);
    const auto sphere = cover(*ball({}, 1), 0.1, 0.05, 1, 3);
    for (const SurfacePoint& p : *sphere) EXPECT_NEAR(dot(p.normal, normalized(p.position)), 1, 1e-3);
}

TEST(Cover, EdgesAreKnown) {
    const auto block = cover(*box({0, 0, 0}, {1, 0.8, 0.6}), 0.1, 0.05, 2, 3);
    ASSERT_TRUE(block);
    for (const SurfacePoint& p : *block) {
        int faces = 0; // near which it is
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double size[3]{1, 0.8, 0.6}, from = std::min(p.position[axis], size[axis] - p.position[axis]);
            faces += from < 0.051 + 0.1 * p.layer;
        }
        EXPECT_EQ(p.on_edge, faces > 1) << p.position.x << " " << p.position.y << " " << p.position.z;
    }
    const auto tank = cover(*invert(box({0, 0, 0}, {1, 1, 1})), 0.1, 0.05, 1, 3);
    for (const SurfacePoint& p : *tank) EXPECT_FALSE(p.on_edge);
    const auto sphere = cover(*ball({}, 0.3), 0.1, 0.05, 1, 3);
    for (const SurfacePoint& p : *sphere) EXPECT_FALSE(p.on_edge);
}

TEST(Cover, BallHasAboutOnePointPerSpacingSquared) {
    const auto points = cover(*ball({}, 1), 0.05, 0.025, 1, 3);
    ASSERT_TRUE(points);
    const double area = 4 * std::numbers::pi * 0.975 * 0.975 / (0.05 * 0.05);
    EXPECT_NEAR(static_cast<double>(points->size()) / area, 1, 0.15);
}

TEST(Cover, CircleIsEvenIn2D) {
    const auto points = cover(*make("circle", {{"radius", 1.0}}, {"", 2, 0.05}), 0.05, 0.025, 1, 2);
    ASSERT_TRUE(points);
    EXPECT_NEAR(static_cast<double>(points->size()), 2 * std::numbers::pi * 0.975 / 0.05, 8);
}

TEST(Cover, PatchesOnly) {
    const auto points = cover(*make("plane", {{"size", 1.0}}), 0.1, 0.05, 1, 3);
    ASSERT_TRUE(points);
    EXPECT_EQ(points->size(), 121u);
    for (const SurfacePoint& p : *points) {
        EXPECT_LE(std::max(std::abs(p.position.x), std::abs(p.position.z)), 0.5 + 1e-6);
        EXPECT_NEAR(p.position.y, -0.05, 1e-6);
    }
}

TEST(Cover, SameForAnyNumberOfThreads) {
    const ShapePtr solid = unite({ball({0, 0, 0}, 0.5), box({0, 0, 0}, {0.6, 0.6, 0.6})}, 0.1);
    std::vector<std::vector<SurfacePoint>> results;
    for (const std::size_t threads : {1, 2, 3}) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        results.push_back(*cover(*solid, 0.04, 0.02, 2, 3));
    }
    for (const auto& other : results) {
        ASSERT_EQ(other.size(), results[0].size());
        for (std::size_t i = 0; i < other.size(); ++i) ASSERT_EQ(other[i].position, results[0][i].position);
    }
}

TEST(Cover, RefusesWhatCannotBe) {
    EXPECT_NE(cover(*ball({}, 0.04), 0.1, 0.05, 1, 3).error().what.find("no particle fits"), std::string::npos);
    EXPECT_NE(cover(*ball({}, 1), 1e-6, 5e-7, 1, 3).error().what.find("50 million"), std::string::npos);
    EXPECT_FALSE(cover(*ball({}, 1), 0, 0, 1, 3));
}

} // namespace
} // namespace loam
