// What the scenes of wet material in examples/ must show (Lenaerts 2009, figures 6.8 to 6.13), coarse.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "example.h"
#include "exchanged.h"

namespace loam::test {
namespace {

// Means over the particles of a body.
template <class Of> double mean(const Simulation& s, const std::string& body, const Of& of) {
    const Pool& pool = s.particles();
    std::size_t b = 0;
    while (s.context().scene.bodies[b].name != body) ++b;
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == b) sum += of(i), ++count;
    return count > 0 ? sum / count : 0;
}

double height(const Simulation& s, const std::string& body) {
    const Pool& pool = s.particles();
    return mean(s, body, [&](std::size_t i) { return pool[pool.position][i].y; });
}

double saturation(const Simulation& s, const std::string& body) {
    const float* const of = column(s, "saturation");
    return mean(s, body, [&](std::size_t i) { return of[i]; });
}

// Below it is a share of the body's particles.
double level(const Simulation& s, const std::string& body, double share) {
    const Pool& pool = s.particles();
    std::vector<double> heights;
    mean(s, body, [&](std::size_t i) {
        heights.push_back(pool[pool.position][i].y);
        return 0.0;
    });
    std::sort(heights.begin(), heights.end());
    return heights[static_cast<std::size_t>(share * static_cast<double>(heights.size() - 1))];
}

// Figure 6.8: the wet cloth clings to the ball, lets water drip, and stays; the dry one stands off and slips down.
TEST(WetScenes, AWetClothClingsADryOneSlips) {
    const auto s = example("wet-cloth", 0.012);
    const Pool& pool = s->particles();
    const auto off = [&](const std::string& body, double x) {
        return mean(*s, body, [&](std::size_t i) {
            return std::max(0.0, length(pool[pool.position][i] - Vec3d{x, 0.25, 0}) - 0.08);
        });
    };
    advance(*s, 1.5);
    EXPECT_LT(off("wet", -0.2), 0.6 * off("dry", 0.2));
    EXPECT_GT(height(*s, "wet"), height(*s, "dry") + 0.02);
    EXPECT_GT(kept(*s, "free"), 0.02 * kept(*s, "sum")) << "it drips";
}

// Figure 6.8, below: four fifths are published.
TEST(WetScenesLong, AWrungClothLosesMostOfItsWater) {
    const auto s = example("wringing", 0.01);
    const double before = kept(*s, "absorbed");
    advance(*s, 3);
    EXPECT_LT(kept(*s, "absorbed"), 0.4 * before);
    EXPECT_GT(kept(*s, "absorbed"), 0.1 * before);
}

// Figure 6.9
TEST(WetScenesLong, AHandPressesWaterOutAndItIsTakenUpAgain) {
    const auto s = example("squeeze", 0.005);
    const double before = kept(*s, "absorbed");
    advance(*s, 0.6);
    const double alone = kept(*s, "absorbed"), taken_up = kept(*s, "taken_up");
    EXPECT_GT(alone, 0.97 * before) << "it holds its water until the hand closes";
    advance(*s, 1.5);
    const double squeezed = kept(*s, "absorbed");
    EXPECT_LT(squeezed, 0.85 * before);
    EXPECT_GT(kept(*s, "taken_up"), taken_up + 0.02 * before) << "elsewhere";
    advance(*s, 2.8);
    EXPECT_GT(kept(*s, "absorbed"), squeezed + 0.03 * before) << "by what springs back";
}

// Figure 6.11 (a)
TEST(WetScenes, AJetErodesAPile) {
    const auto s = example("jet-on-sand", 0.006);
    const double column = level(*s, "sand", 1);
    advance(*s, 0.9);
    const double pile = level(*s, "sand", 1);
    EXPECT_LT(pile, 0.7 * column) << "dry sand collapses";
    EXPECT_EQ(saturation(*s, "sand"), 0);
    advance(*s, 2.2);
    EXPECT_LT(level(*s, "sand", 0.98), 0.75 * pile);
    EXPECT_GT(saturation(*s, "sand"), 0.3);
}

// Figure 6.13
TEST(WetScenesLong, RainTurnsSoilIntoMud) {
    const auto s = example("rain", 0.0085);
    advance(*s, 1);
    EXPECT_GT(kept(*s, "absorbed"), 0.5 * (kept(*s, "entered") - 0.02)) << "the first drops are held";
    advance(*s, 3.8);
    EXPECT_GT(saturation(*s, "soil"), 0.8);
    EXPECT_GT(kept(*s, "free"), 0.1 * kept(*s, "absorbed")) << "a puddle";
}

// Figure 6.10: dry it stays in the funnel, wet it is in the tank below.
TEST(WetScenesLong, AFigureSagsThroughAFunnelWhenWet) {
    const auto s = example("funnel", 0.0045);
    advance(*s, 0.8);
    EXPECT_GT(level(*s, "figure", 0), 0.15);
    advance(*s, 4.6);
    EXPECT_LT(level(*s, "figure", 0.5), 0.15);
}

// Figure 6.11 (b)
TEST(WetScenesLong, MoistSandPilesUpOnAFigure) {
    const auto s = example("sand-on-figure", 0.006);
    const Pool& pool = s->particles();
    const auto clinging = [&] {
        return mean(*s, "sand", [&](std::size_t i) {
            return pool[pool.position][i].y > 0.06 && length(pool[pool.velocity][i].xyz()) < 0.1f ? 1.0 : 0.0;
        });
    };
    advance(*s, 1.5);
    const double dry = clinging();
    EXPECT_LT(dry, 0.05) << "dry sand slides down";
    advance(*s, 3.2);
    EXPECT_GT(clinging(), dry + 0.05) << "moist sand sticks and piles up";
    advance(*s, 5);
    EXPECT_GT(saturation(*s, "sand"), 0.4);
}

TEST(WetScenesLong, AWaveTakesACastle) {
    const auto s = example("sand-castle-wave", 0.012);
    const double top = level(*s, "castle", 1);
    advance(*s, 0.9);
    EXPECT_GT(level(*s, "castle", 1), 0.95 * top) << "moist, it stands";
    advance(*s, 3);
    EXPECT_LT(level(*s, "castle", 0.95), 0.5 * top);
    EXPECT_GT(saturation(*s, "castle"), 0.8);
}

} // namespace
} // namespace loam::test
