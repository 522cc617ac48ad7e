// Cloth held to the membrane that it says it is: a strip that hangs from its pinned end.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

struct Strip {
    double length, width, radius, young, damping;
    std::string integration = "explicit";
    std::string more = "";

    static constexpr double density = 300, gravity = 2;

    std::string scene() const {
        return fmt::format(R"({{"duration": 100, "fps": 50, "particle_radius": {}, {}
            "behaviors": {{"gravity": {{"acceleration": [0, -{}, 0]}}}},
            "bodies": {{"strip": {{"shape": {{"sheet": {{"u": [0, -{}, 0], "v": [{}, 0, 0]}}}},
                "behaviors": {{"cloth": {{"young_modulus": {}, "density": {}, "damping": {}, "integration": "{}"}}}},
                "pins": {{"top": {{"shape": {{"box": {{"min": [-9, -1e-6, -9], "max": [9, 9, 9]}}}}}}}}}}}}}})",
                           radius, more, gravity, length, width, young, density, damping, integration);
    }
    double longer() const { return density * gravity * length * length / (2 * young); } // by its own weight
    double period() const { return 4 * length / std::sqrt(young / density); }

    // Beyond its length, at the lower rim.
    double stretch(const Simulation& s) const {
        double lowest = 0;
        for (const Vec3d& p : s.particles()[s.particles().position]) lowest = std::min(lowest, p.y);
        return -lowest - length;
    }
    // By which share it has become narrower, over the strain there: at the points nearest to its middle.
    double contraction(const Simulation& s) const {
        const Pool& pool = s.particles();
        double left = 1e9, right = -1e9, nearest = 1e9, at = 0;
        for (const Vec3d& p : pool[pool.position])
            if (std::abs(p.y + 0.5 * length) < nearest) nearest = std::abs(p.y + 0.5 * length), at = p.y;
        for (const Vec3d& p : pool[pool.position])
            if (std::abs(p.y - at) < 0.3 * radius) left = std::min(left, p.x), right = std::max(right, p.x);
        return (1 - (right - left) / width) / (density * gravity * (length + at) / young);
    }
};

TEST(ClothStrip, StretchesByItsModulus) {
    for (const Strip& strip :
         {Strip{.length = 1, .width = 0.25, .radius = 0.0125, .young = 2e4, .damping = 1},
          Strip{.length = 1, .width = 0.25, .radius = 0.025, .young = 2e4, .damping = 1},
          Strip{.length = 0.83, .width = 0.11, .radius = 0.01, .young = 1e5, .damping = 0.7},
          Strip{.length = 0.83, .width = 0.11, .radius = 0.01, .young = 1e5, .damping = 1, .integration = "implicit"},
          Strip{.length = 1,
          .width = 0.4,
          .radius = 0.02,
          .young = 2e4,
          .damping = 1,
          .more = R"("solver": {"support": 6},)"}}) {
        const auto s = start(strip.scene());
        advance(*s, 6 * strip.period());
        const double longer = strip.stretch(*s) / strip.longer(), narrower = strip.contraction(*s);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{} x {}, {}: stretch {:.4f}, contraction {:.4f}\n", strip.length, strip.width,
                       strip.integration, longer, narrower);
        EXPECT_NEAR(longer, 1, 0.03); // its pinned end stays as wide as it is, which makes it a little stiffer
        EXPECT_NEAR(narrower, 1.0 / 3, 0.03);
    }
}

// It falls into its weight. A swing overshoots by exp(-pi z / sqrt(1 - z^2)), and at z = 1 not at all.
TEST(ClothStrip, DampingIsAFractionOfCritical) {
    for (const std::string integration : {"explicit", "verlet", "rk4", "implicit"})
        for (const double damping : {0.25, 0.5, 1.0}) {
            const Strip strip{.length = 0.9,
                              .width = 0.2,
                              .radius = 0.02,
                              .young = 3e4,
                              .damping = damping,
                              .integration = integration,
                              .more = R"("solver": {"max_time_step": 0.002},)"};
            const auto s = start(strip.scene());
            double most = 0;
            for (int k = 1; k <= 120; ++k) {
                advance(*s, 0.025 * k * strip.period());
                most = std::max(most, strip.stretch(*s));
            }
            const double end = strip.stretch(*s), over = most / end - 1;
            const double expected = damping < 1 ? std::exp(-M_PI * damping / std::sqrt(1 - damping * damping)) : 0;
            if (std::getenv("LOAM_SHOW"))
                fmt::print("{}, damping {}: overshoots by {:.4f} ({:.4f})\n", integration, damping, over, expected);
            EXPECT_NEAR(over, expected, damping < 1 ? 0.04 : 0.01) << integration << ", " << damping;
        }
}

} // namespace
} // namespace loam::test
