// What the scenes of heat and mixing promise by their titles, in numbers, far below their own resolution.
#include <cmath>

#include <gtest/gtest.h>

#include "example.h"
#include "exchanged.h"

namespace loam::test {
namespace {

// Wax melts at the flame, runs down outside of what was the candle, and freezes there.
TEST(HeatScenesLong, Candle) {
    const auto s = example("candle", 0.0018);
    const Pool& pool = s->particles();
    const double heat = kept(*s, "enthalpy");
    double most_melted = 0;
    for (int frame = 1; frame <= 50; ++frame) {
        advance(*s, frame / 25.0);
        double melted = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) melted += column(*s, "melted")[i];
        most_melted = std::max(most_melted, melted / static_cast<double>(pool.size()));
        ASSERT_NEAR(own_enthalpy(*s) / heat, 1, 1e-9) << "frame " << frame;
    }
    int frozen_outside = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d at = pool[pool.position][i];
        frozen_outside += std::hypot(at.x, at.z) > 0.0135 && at.y < 0.045 && column(*s, "melted")[i] < 0.3f;
    }
    if (std::getenv("LOAM_SHOW"))
        fmt::print("candle: {} particles, {:.3f} melted at most, {} frozen at the side\n", pool.size(), most_melted,
                   frozen_outside);
    EXPECT_GT(most_melted, 0.03);
    EXPECT_LT(most_melted, 0.5);
    EXPECT_GT(frozen_outside, 4);
}

// Sugar leaves its cube and sinks.
TEST(HeatScenes, Tea) {
    const auto s = example("tea", 0.001);
    const Pool& pool = s->particles();
    const auto height = [&] {
        double sum = 0, all = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const double c = column(*s, "concentration_sugar")[i];
            sum += c * pool[pool.position][i].y, all += c;
        }
        return sum / all;
    };
    const auto solid = [&] {
        return total(*s, [&](std::size_t i) { return column(*s, "concentration_sugar")[i] > 0.7f; });
    };
    const double before = height(), cube = solid(), sugar = kept(*s, "sugar");
    advance(*s, 3);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("tea: sugar sank from {:.4f} to {:.4f} m, {} of {} particles are solid\n", before, height(), solid(),
                   cube);
    EXPECT_LT(height(), 0.75 * before);
    EXPECT_LT(solid(), 0.2 * cube);
    EXPECT_NEAR(kept(*s, "sugar") / sugar, 1, 1e-12);
}

// Wax rises, and comes down again.
TEST(HeatScenesLong, Lamp) {
    const auto s = example("lamp", 0.0025);
    const Pool& pool = s->particles();
    double highest = 0, last = 0;
    for (int second = 1; second <= 15; ++second) {
        advance(*s, second);
        double sum = 0;
        int count = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == 0) sum += pool[pool.position][i].y, ++count;
        last = sum / count;
        highest = std::max(highest, last);
    }
    if (std::getenv("LOAM_SHOW")) fmt::print("lamp: wax at 0.0140 m, then {:.4f} m, then {:.4f} m\n", highest, last);
    EXPECT_GT(highest, 0.03);
    EXPECT_LT(last, 0.9 * highest);
}

// Iron that has frozen keeps the shape of the mould when it is opened.
TEST(HeatScenesLong, Casting) {
    const auto s = example("casting", 0.008);
    advance(*s, 9);
    const Pool& pool = s->particles();
    double top = 0, melted = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        top = std::max(top, pool[pool.position][i].y);
        melted += column(*s, "melted")[i];
    }
    if (std::getenv("LOAM_SHOW")) fmt::print("casting: {} particles, {} m high\n", pool.size(), top);
    EXPECT_LT(melted, 0.05 * static_cast<double>(pool.size()));
    EXPECT_GT(top, 0.25) << "it stands";
}

} // namespace
} // namespace loam::test
