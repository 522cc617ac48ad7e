// Bodies of several materials at once: what occurs more than once is weighed (Lenaerts 7.2.1).
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

std::string block(const std::string& fluid_weight, const std::string& elastic_weight, const std::string& more = "") {
    return R"({"dimensions": 2, "particle_radius": 0.01, "duration": 2, "fps": 50,
      "bodies": {"it": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.1]}}, "temperature": 280, "behaviors": {
        "fluid": {"density": 1000, "weight": )" +
           fluid_weight + R"(}, "elastic": {"density": 600, "young_modulus": 1e4, "weight": )" + elastic_weight + "}" +
           more + "}}}}";
}
double mass(const Simulation& s) {
    return total(s, [&](std::size_t i) { return s.particles()[s.particles().mass][i]; });
}

TEST(Densities, AreTheMeanByWeight) {
    EXPECT_NEAR(mass(*start(block("0.5", "0.5"))), 0.02 * 800, 1e-3);
    EXPECT_NEAR(mass(*start(block("0.2", "1"))), 0.02 * 800 / 1.2, 1e-3);
    EXPECT_NEAR(mass(*start(block("1", "0"))), 0.02 * 1000, 1e-3);
}

TEST(Densities, FollowKeysOverTime) {
    const auto s = start(block(R"({"keys": [[0, 1], [1, 0]]})", R"({"keys": [[0, 0], [1, 1]]})"));
    EXPECT_NEAR(mass(*s), 0.02 * 1000, 1e-3);
    advance(*s, 0.5);
    EXPECT_NEAR(mass(*s), 0.02 * 800, 0.1);
    const Snapshot then = s->snapshot();
    advance(*s, 1.2);
    EXPECT_NEAR(mass(*s), 0.02 * 600, 1e-3);
    EXPECT_LT(length(momentum(*s)), 1e-3);
    ASSERT_TRUE(s->restore(then));
    EXPECT_NEAR(mass(*s), 0.02 * 800, 0.1);
    advance(*s, 1.2);
    EXPECT_NEAR(mass(*s), 0.02 * 600, 1e-3);
}

// Particle by particle: half of it melts, and that half gets the density of the melt. What it holds of heat per mass
// stays.
TEST(Densities, FollowWhatMelts) {
    const std::string over = R"({"over": "melted", "interpolation": "step", "keys": )";
    const auto s = start(
        block(over + "[[0, 0], [0.5, 1]]}", over + "[[0, 1], [0.5, 0]]}",
              R"(, "heat": {"conductivity": 0, "solidus": 300, "liquidus": 301, "latent_heat": 1000})"),
        {R"(heaters={"hot": {"shape": {"box": {"min": [-1, -1], "max": [0.1, 1]}}, "temperature": 310, "stop": 0.1}})"});
    EXPECT_NEAR(mass(*s), 0.02 * 600, 1e-3);
    const double sum = kept(*s, "sum");
    advance(*s, 0.2);
    EXPECT_NEAR(mass(*s), 0.02 * 800, 1e-3);
    EXPECT_NEAR(kept(*s, "sum") / sum, 1, 1e-9);
    for (std::size_t i = 0; i < s->particles().size(); ++i) {
        const bool melted = column(*s, "melted")[i] > 0.5f;
        ASSERT_NEAR(s->particles()[s->particles().mass][i], (melted ? 1000 : 600) * 0.0004, 1e-4);
    }
}

} // namespace
} // namespace loam::test
