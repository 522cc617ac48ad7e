#include "picture/dye.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loam {
namespace {

// A cube of 1 m, absorption of red 2 on the left, 6 on the right; of green what x is.
Dye cube() {
    std::vector<Dye::Particle> particles;
    for (int i = 0; i < 20; ++i)
        for (int j = 0; j < 20; ++j)
            for (int k = 0; k < 20; ++k) {
                const Vec3d at{0.05 * i + 0.025, 0.05 * j + 0.025, 0.05 * k + 0.025};
                particles.push_back({at, {i < 10 ? 2.0f : 6.0f, static_cast<float>(at.x), 0}});
            }
    return {particles, 0.05};
}

TEST(Dye, AbsorbsWhatIsOnTheWay) {
    const Dye dye = cube();
    const Color along = dye.depth({{0.5f, 0.5f, -1}, {0, 0, 1}}, 1, 2);
    EXPECT_NEAR(along.y, 0.5, 0.02);
    const Color across = dye.depth({{-1, 0.5f, 0.5f}, {1, 0, 0}}, 1, 2);
    EXPECT_NEAR(across.x, 4, 0.1);
    EXPECT_NEAR(across.y, 0.5, 0.02);
    EXPECT_NEAR(dye.depth({{-1, 0.5f, 0.5f}, {1, 0, 0}}, 1, 1.4f).x, 0.8, 0.05);
    EXPECT_NEAR(dye.depth({{0.2f, 0.5f, -1}, {0, 0, 1}}, 1.25f, 1.75f).x, 1, 0.02);
    EXPECT_EQ(across.z, 0);
}

TEST(Dye, IsNothingElsewhere) {
    const Dye dye = cube();
    EXPECT_EQ(dye.depth({{0, 5, 0}, {1, 0, 0}}, 0, 1e6f).x, 0);
    EXPECT_NEAR(dye.depth({{-1, 0.5f, 0.5f}, {1, 0, 0}}, 0, INFINITY).x, 4, 0.6); // a little beyond its rim
    EXPECT_EQ(Dye({}, 0.1).depth({{0, 0, 0}, {1, 0, 0}}, 0, 1).x, 0);
}

} // namespace
} // namespace loam
