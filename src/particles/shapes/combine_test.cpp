#include <numbers>

#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;

TEST(Combine, UnionDifferenceIntersection) {
    const ShapePtr a = ball({0, 0, 0}, 1), b = ball({1, 0, 0}, 1);
    Sequence random(1);
    const ShapePtr both = unite({a, b}), common = intersect({a, b}), rest = subtract(a, {b});
    for (int i = 0; i < 1000; ++i) {
        const Vec3d p = random_in(random, {{-2, -2, -2}, {3, 2, 2}});
        const bool in_a = a->distance(p) < 0, in_b = b->distance(p) < 0;
        EXPECT_EQ(both->distance(p) < 0, in_a || in_b);
        EXPECT_EQ(common->distance(p) < 0, in_a && in_b);
        EXPECT_EQ(rest->distance(p) < 0, in_a && !in_b);
    }
    EXPECT_EQ(both->bounds().hi, (Vec3d{2, 1, 1}));
    EXPECT_EQ(common->bounds().lo, (Vec3d{0, -1, -1}));
    EXPECT_EQ(rest->bounds().lo, (Vec3d{-1, -1, -1}));
    EXPECT_TRUE(rest->bounded());
}

TEST(Combine, SmoothUnionFillsTheSeam) {
    const ShapePtr sharp = unite({ball({-0.8, 0, 0}, 1), ball({0.8, 0, 0}, 1)});
    const ShapePtr smooth = unite({ball({-0.8, 0, 0}, 1), ball({0.8, 0, 0}, 1)}, 0.4);
    EXPECT_NEAR(smooth->distance({0, 0.6, 0}), sharp->distance({0, 0.6, 0}) - 0.1, 1e-12);
    EXPECT_EQ(smooth->distance({-1.8, 0, 0}), sharp->distance({-1.8, 0, 0}));
    EXPECT_NEAR(smooth->normal({0, 0.7, 0}).y, 1, 1e-6);
}

TEST(Combine, InvertedAndHollow) {
    const ShapePtr container = invert(box({0, 0, 0}, {1, 1, 1}));
    EXPECT_FALSE(container->bounded());
    EXPECT_DOUBLE_EQ(container->distance({0.5, 0.5, 0.1}), 0.1);
    EXPECT_EQ(container->normal({0.5, 0.01, 0.5}), (Vec3d{0, 1, 0}));
    EXPECT_TRUE(invert(container)->bounded());
    // The walls move out to a larger box with sharp corners.
    EXPECT_NEAR(container->eroded({1.1, 1.1, 1.1}, 0.1), 0, 1e-12);
    const ShapePtr skin = hollow(ball({0, 0, 0}, 1), 0.2);
    EXPECT_NEAR(skin->distance({0.9, 0, 0}), -0.1, 1e-12);
    EXPECT_NEAR(skin->distance({0, 0, 0}), 0.8, 1e-12);
    EXPECT_EQ(skin->normal({0.81, 0, 0}), (Vec3d{-1, 0, 0}));
    const ShapePtr walls = hollow(container, 0.1);
    EXPECT_TRUE(walls->bounded());
    EXPECT_NEAR(walls->distance({-0.05, 0.5, 0.5}), -0.05, 1e-12);
    EXPECT_NEAR(walls->bounds().lo.x, -0.1, 1e-12);
}

TEST(Combine, PlacementThereAndBack) {
    const Placement placement{{1, 2, 3}, {1, 1, 0}, 0.7, 2};
    const Vec3d p{0.3, -0.4, 0.5};
    EXPECT_NEAR(length(placement.invert(placement.apply(p)) - p), 0, 1e-12);
    const Placement quarter{{0, 0, 0}, {0, 0, 1}, std::numbers::pi / 2, 1};
    EXPECT_NEAR(length(quarter.apply({1, 0, 0}) - Vec3d{0, 1, 0}), 0, 1e-12);
}

TEST(Combine, PlacedShapesKeepDistances) {
    const Placement placement{{1, 2, 3}, {0, 0, 1}, std::numbers::pi / 2, 2};
    const ShapePtr placed = place(box({0, 0, 0}, {1, 2, 3}), placement); // becomes x: -4..0, y: 0..2, z: 0..6, moved
    EXPECT_NEAR(placed->distance({-1, 3, 10}), 1, 1e-9);
    EXPECT_NEAR(placed->bounds().lo.x, -3, 1e-9);
    EXPECT_NEAR(placed->bounds().hi.y, 4, 1e-9);
    EXPECT_NEAR(placed->normal({-1, 3, 10}).z, 1, 1e-9);
}

} // namespace
} // namespace loam
