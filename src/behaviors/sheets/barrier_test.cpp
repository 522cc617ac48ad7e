#include "behaviors/sheets/barrier.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

const Vec3d still[3]{}, corner[3]{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};

TEST(Crossing, IsFoundWithItsPlaceAndTime) {
    const Crossing down = find_crossing({0.2, 0.1, 0.3}, {0, -0.4, 0}, corner, still);
    EXPECT_NEAR(down.time, 0.25, 1e-6);
    EXPECT_NEAR(down.shares[0], 0.5, 1e-6);
    EXPECT_NEAR(down.shares[1], 0.2, 1e-6);
    EXPECT_NEAR(down.shares[2], 0.3, 1e-6);
    EXPECT_NEAR(down.normal.y, 1, 1e-9);
    const Crossing up = find_crossing({0.2, -0.1, 0.3}, {0, 0.4, 0}, corner, still);
    EXPECT_NEAR(up.normal.y, -1, 1e-9);
}

TEST(Crossing, IsNoneBesideOrShortOfTheTriangle) {
    EXPECT_GT(find_crossing({0.8, 0.1, 0.8}, {0, -0.4, 0}, corner, still).time, 1);
    EXPECT_GT(find_crossing({0.2, 0.1, 0.3}, {0, -0.09, 0}, corner, still).time, 1);
    EXPECT_GT(find_crossing({0.2, 0.1, 0.3}, {0.1, 0.4, 0}, corner, still).time, 1);
}

TEST(Crossing, CountsWhatComesTooNear) {
    EXPECT_EQ(find_crossing({0.2, 0.1, 0.3}, {0, -0.09, 0}, corner, still, 0.02).time, 1);
    EXPECT_GT(find_crossing({0.2, 0.1, 0.3}, {0, -0.07, 0}, corner, still, 0.02).time, 1);
    EXPECT_GT(find_crossing({0.2, 0.01, 0.3}, {0, 0.001, 0}, corner, still, 0.02).time, 1); // moves away
}

TEST(Crossing, IsFoundWhereTheTriangleMoves) {
    const Vec3d up[3]{{0, 0.3, 0}, {0, 0.3, 0}, {0, 0.3, 0}};
    EXPECT_NEAR(find_crossing({0.2, 0.1, 0.3}, {0, 0, 0}, corner, up).time, 1.0 / 3, 1e-6);
    const Vec3d with[3]{{0, -0.5, 0}, {0, -0.5, 0}, {0, -0.5, 0}};
    EXPECT_GT(find_crossing({0.2, 0.1, 0.3}, {0, -0.4, 0}, corner, with).time, 1);
}

} // namespace
} // namespace loam
