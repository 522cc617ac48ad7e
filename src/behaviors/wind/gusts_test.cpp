#include <gtest/gtest.h>

#include "behaviors/wind/gusts.h"

namespace loam {
namespace {

TEST(Gusts, AreSmoothSeededAndAroundTheWind) {
    Gusts gusts{{5, 0, 0}, 0.5, 1, 1, 7, false};
    Vec3d sum;
    double largest_step = 0;
    const int count = 2000;
    for (int k = 0; k < count; ++k) {
        const Vec3d at{0.37 * k, 0.11 * k, 0.05 * k};
        sum += gusts.at(at, 0.01 * k);
        largest_step = std::max(largest_step, length(gusts.at(at + Vec3d{1e-3, 0, 0}, 1) - gusts.at(at, 1)));
    }
    EXPECT_NEAR(sum.x / count, 5, 0.3);
    EXPECT_NEAR(sum.y / count, 0, 0.3);
    EXPECT_LT(largest_step, 0.05);
    Gusts other = gusts;
    other.seed = 8;
    EXPECT_EQ(gusts.at({1.3, 0.2, 0.4}, 2.2), gusts.at({1.3, 0.2, 0.4}, 2.2));
    EXPECT_NE(gusts.at({1.3, 0.2, 0.4}, 2.2), other.at({1.3, 0.2, 0.4}, 2.2));
}

} // namespace
} // namespace loam
