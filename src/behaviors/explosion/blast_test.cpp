#include "behaviors/explosion/blast.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

const Blast usual{
    .center = {}, .time = 1, .pressure = 1e5, .radius = 0.1, .falloff = 2, .speed = 100, .duration = 0.01};

TEST(Blast, GivesTheSameInAnySteps) {
    double sum = 0;
    for (int k = 0; k < 70; ++k) sum += usual.impulse(0.5, 1 + 0.0003 * k, 1 + 0.0003 * (k + 1));
    EXPECT_NEAR(sum, usual.impulse(0.5, 0, 2), 1e-9);
    EXPECT_NEAR(sum, usual.impulse(0.5), 1e-9);
}

TEST(Blast, ArrivesLaterAndWeakerFarther) {
    EXPECT_EQ(usual.impulse(0.5, 0, 1.0049), 0);
    EXPECT_GT(usual.impulse(0.5, 0, 1.0051), 0);
    EXPECT_DOUBLE_EQ(usual.impulse(0.02), usual.impulse(0.1));
    EXPECT_NEAR(usual.impulse(0.4), usual.impulse(0.1) / 16, 1e-9);
}

} // namespace
} // namespace loam
