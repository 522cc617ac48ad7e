#include "base/track.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

Track numbers(Interpolation how, std::vector<std::pair<double, double>> keys) {
    Track track;
    for (const auto& [at, value] : keys) track.keys.push_back({at, {value, 0, 0}, how, {}, {}});
    return track;
}

TEST(Track, MeetsItsKeysAndHoldsTheEnds) {
    for (Interpolation how :
         {Interpolation::step, Interpolation::linear, Interpolation::smooth, Interpolation::bezier}) {
        const Track track = numbers(how, {{1, 4}, {2, 6}, {4, -1}});
        EXPECT_EQ(track.at(-5).x, 4);
        EXPECT_NEAR(track.at(2).x, 6, 1e-9);
        EXPECT_EQ(track.at(9).x, -1);
        EXPECT_EQ(track.rate(9).x, 0);
    }
}

TEST(Track, StepHoldsUntilTheNextKey) {
    const Track track = numbers(Interpolation::step, {{0, 1}, {1, 2}});
    EXPECT_EQ(track.at(0.999).x, 1);
    EXPECT_EQ(track.at(1).x, 2);
}

TEST(Track, RateIsTheDerivative) {
    Track track = numbers(Interpolation::smooth, {{0, 0}, {1, 3}, {1.5, 4}, {3, 4}, {5, -2}});
    track.keys[3].to_next = Interpolation::bezier;
    track.keys[3].out = {0.8, 1.5};
    track.keys[4].in = {-0.5, 0.2};
    for (double x : {0.3, 0.9, 1.2, 2.0, 3.2, 4.0, 4.9}) {
        const double d = 1e-6, numeric = (track.at(x + d).x - track.at(x - d).x) / (2 * d);
        EXPECT_NEAR(track.rate(x).x, numeric, 1e-5) << x;
    }
}

TEST(Track, SmoothDoesNotOvershoot) {
    const Track track = numbers(Interpolation::smooth, {{0, 0}, {1, 1}, {1.1, 1}, {4, 5}});
    double last = 0;
    for (int i = 0; i <= 400; ++i) {
        const double x = track.at(0.01 * i).x;
        EXPECT_GE(x, last - 1e-12);
        EXPECT_LE(x, 5 + 1e-12);
        last = x;
    }
}

TEST(Track, BezierEasesWithItsHandles) {
    Track track = numbers(Interpolation::bezier, {{0, 0}, {1, 1}});
    track.keys[0].out = {0.5, 0}; // leaves flat
    track.keys[1].in = {-0.5, 0}; // arrives flat
    EXPECT_NEAR(track.at(0.5).x, 0.5, 1e-9);
    EXPECT_LT(track.at(0.1).x, 0.05);
    EXPECT_GT(track.at(0.9).x, 0.95);
    track.keys[0].out = {7, 0}; // beyond the other key: no turning back
    double last = -1;
    for (int i = 0; i <= 100; ++i) {
        EXPECT_GE(track.at(0.01 * i).x, last - 1e-9);
        last = track.at(0.01 * i).x;
    }
}

TEST(Track, SteepestBoundsTheRate) {
    for (Interpolation how : {Interpolation::linear, Interpolation::smooth, Interpolation::bezier}) {
        Track track = numbers(how, {{0, 0}, {1, 3}, {1.5, -4}});
        track.keys[0].out = {0.1, 2};
        const double bound = track.steepest(0, 2);
        for (int i = 0; i < 150; ++i) EXPECT_LE(std::abs(track.rate(0.01 * i).x), bound);
    }
}

TEST(Track, SteepestOfASmoothStretchLooksAtTheIntervalOnly) {
    const Track track = numbers(Interpolation::smooth, {{0, 0}, {1, 3}, {1.5, 9}, {3, 10}});
    for (int i = 0; i < 290; ++i) {
        const double from = 0.01 * i, to = from + 0.1;
        double most = 0;
        for (int k = 0; k <= 100; ++k) most = std::max(most, std::abs(track.rate(from + 0.001 * k).x));
        EXPECT_GE(track.steepest(from, to), most * (1 - 1e-12));
        EXPECT_NEAR(track.steepest(from, to), most, 0.02 * most + 0.02);
    }
    EXPECT_NEAR(track.steepest(0, 3), track.rate(1.25).x, 0.2 * track.rate(1.25).x);
}

TEST(Track, IntegralIsExactForCubics) {
    EXPECT_NEAR(numbers(Interpolation::linear, {{0, 0}, {2, 4}}).integral(-1, 3), 4 + 4, 1e-12);
    EXPECT_NEAR(numbers(Interpolation::step, {{0, 1}, {2, 4}}).integral(1, 3), 1 + 4, 1e-12);
    const Track smooth = numbers(Interpolation::smooth, {{0, 1}, {1, 2}, {3, 7}});
    double sum = 0;
    for (int i = 0; i < 30000; ++i) sum += 1e-4 * smooth.at((i + 0.5) * 1e-4).x;
    EXPECT_NEAR(smooth.integral(0, 3), sum, 1e-6);
}

} // namespace
} // namespace loam
