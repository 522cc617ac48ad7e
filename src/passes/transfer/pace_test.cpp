#include "passes/transfer/pace.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

TEST(Pace, TakesSlowStepsTogether) {
    Pace pace;
    EXPECT_TRUE(pace.due(0.01)) << "nothing is known yet";
    pace.set_safe(10);
    double passed = 0;
    int times = 0;
    for (int step = 0; step < 100; ++step)
        if (pace.due(0.01)) passed += pace.time(), ++times;
    EXPECT_EQ(times, 25);
    EXPECT_NEAR(passed, 1, 1e-12);
}

TEST(Pace, TakesFastOnesOneByOne) {
    Pace pace;
    pace.set_safe(0.1);
    for (int step = 0; step < 10; ++step) {
        EXPECT_TRUE(pace.due(0.01));
        EXPECT_EQ(pace.time(), 0.01);
    }
}

TEST(Pace, GoesOnWhereItWas) {
    Pace pace, other;
    pace.set_safe(10);
    pace.due(0.01), pace.due(0.01);
    ASSERT_TRUE(other.restore(pace.save()));
    EXPECT_FALSE(other.restore({1}));
    for (int step = 0; step < 5; ++step) EXPECT_EQ(pace.due(0.01), other.due(0.01));
}

} // namespace
} // namespace loam
