// Fluids that mix: a step of concentration that spreads (M3 of docs/validation.md), what is kept, what follows the
// mixture.
#include <cmath>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "exchanged.h"

namespace loam::test {
namespace {

// Syrup for x < 0, water beyond it, on shaken particles of unequal masses. Nothing moves but the solute.
std::string slab(const std::string& more = "") {
    return R"({"dimensions": 2, "particle_radius": 0.01, "duration": 10, "fps": 1,
      "domain": {"min": [-2, 0], "max": [2, 0.2], "periodic": "y"},
      "solutes": {"syrup": {"density": 1500}, "dye": {"mobility": 0.5}},
      "behaviors": {"fluid": {}, "viscosity": {"viscosity": 100}, "miscible": {"dispersion": 1e-3}},
      "bodies": {
        "left": {"shape": {"box": {"min": [-0.6, 0], "max": [0, 0.2]}}, "jitter": 0.3, "behaviors": {},
                 "concentration": {"syrup": 1}},
        "right": {"shape": {"box": {"min": [0, 0], "max": [0.6, 0.2]}}, "jitter": 0.3, "behaviors": {},
                  "concentration": {"dye": 0.8}}})" +
           more + "}";
}

// Root of the mean square near the step, beside ½ erfc(x / spread).
double error_of_step(const Simulation& s, const std::string& solute, double spread, double sign, double height) {
    const Pool& pool = s.particles();
    const float* const c = column(s, "concentration_" + solute);
    double squares = 0;
    int count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double x = pool[pool.position][i].x;
        if (std::abs(x) > spread) continue;
        squares += std::pow(c[i] - 0.5 * height * std::erfc(sign * x / spread), 2), ++count;
    }
    return std::sqrt(squares / count);
}

class MixingStep : public testing::TestWithParam<double> {}; // time step [s]

TEST_P(MixingStep, SpreadsAsItShould) {
    const auto s = start(slab(), {"solver.time_step=" + std::to_string(GetParam())});
    const Pool& pool = s->particles();
    const double syrup = kept(*s, "syrup"), dye = kept(*s, "dye");
    const auto weight = [&] { return total(*s, [&](std::size_t i) { return pool[pool.mass][i]; }); };
    const double mass = weight();
    EXPECT_GT(pool[pool.mass][0], 0);
    double lowest = 1, highest = 0;
    advance(*s, 10, [&] {
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const float c = column(*s, "concentration_syrup")[i];
            lowest = std::min<double>(lowest, c), highest = std::max<double>(highest, c);
        }
    });
    const double spread = 2 * std::sqrt(1e-3 * 10);
    const double off = error_of_step(*s, "syrup", spread, 1, 1);
    const double off_dye = error_of_step(*s, "dye", spread * std::sqrt(0.5), -1, 0.8);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("M3: dt {} error {:.4f} dye {:.4f} drift {:.1e} mass {:.1e} extremes {:.1e} {:.1e}\n", GetParam(),
                   off, off_dye, kept(*s, "syrup") / syrup - 1, weight() / mass - 1, lowest, highest - 1);
    EXPECT_LT(off, 0.015);
    EXPECT_LT(off_dye, 0.015);
    EXPECT_NEAR(kept(*s, "syrup") / syrup, 1, 1e-12);
    EXPECT_NEAR(kept(*s, "dye") / dye, 1, 1e-12);
    EXPECT_NEAR(weight() / mass, 1, 1e-6);
    EXPECT_GE(lowest, 0);
    EXPECT_LE(highest, 1 + 1e-5);
}
INSTANTIATE_TEST_SUITE_P(ExplicitAndImplicit, MixingStep, testing::Values(0.02, 0.5));

// Two streams of unequal density that pass each other and mix: what moves takes its momentum along.
TEST(Mixing, KeepsMomentum) {
    const auto s = start(slab(), {"bodies.left.velocity=[0, 0.3]", "bodies.right.velocity=[0, -0.3]"});
    const double before = momentum(*s).y;
    const Pool& pool = s->particles();
    const double scale = 0.3 * total(*s, [&](std::size_t i) { return pool[pool.mass][i]; });
    advance(*s, 1);
    EXPECT_NEAR(momentum(*s).y, before, 1e-5 * scale);
}

std::string layers(double dispersion) {
    return R"({"dimensions": 2, "particle_radius": 0.01, "duration": 4, "fps": 10, "behaviors": {"gravity": {}, "fluid": {},
        "viscosity": {"viscosity": 0.5}, "miscible": {"dispersion": )" +
           std::to_string(dispersion) + R"(}},
      "solutes": {"syrup": {"density": 1400, "viscosity": 5}},
      "bodies": {
        "syrup": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.4]}}, "concentration": {"syrup": 1}, "behaviors": {}},
        "water": {"shape": {"box": {"min": [0.2, 0], "max": [0.4, 0.4]}}, "behaviors": {}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.8]}, "invert": true}, "boundary": {}}}})";
}

// How far concentrations are from the mean, 1/4 where nothing has mixed.
double unmixed(const Simulation& s) {
    const float* const c = column(s, "concentration_syrup");
    return total(s, [&](std::size_t i) { return c[i] * (1 - c[i]); }) / static_cast<double>(s.particles().size());
}

// Bayraktar fig. 5.7: without dispersion the heavy fluid settles and stays sharp; with more of it they mix sooner.
TEST(Mixing, MoreDispersionMixesSooner) {
    const auto sharp = start(layers(0)), some = start(layers(3.2e-4)), more = start(layers(7.2e-4));
    for (const auto& s : {sharp.get(), some.get(), more.get()}) advance(*s, 2);
    EXPECT_EQ(unmixed(*sharp), 0);
    EXPECT_GT(unmixed(*some), 0.02);
    EXPECT_GT(unmixed(*more), 1.1 * unmixed(*some));
    const Pool& pool = sharp->particles();
    double height[2] = {};
    int count[2] = {};
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const bool heavy = column(*sharp, "concentration_syrup")[i] > 0.5f;
        height[heavy] += pool[pool.position][i].y, ++count[heavy];
    }
    EXPECT_LT(height[1] / count[1], height[0] / count[0]) << "the heavy one is below";
}

TEST(Mixing, ViscosityFollowsTheMixture) {
    const auto s = start(layers(0));
    advance(*s, 0.05);
    const float *const own = column(*s, "viscosity_viscosity"), *const c = column(*s, "concentration_syrup");
    for (std::size_t i = 0; i < s->particles().size(); ++i) EXPECT_NEAR(own[i], c[i] > 0.5f ? 5 : 0.5, 1e-3);
}

TEST(Mixing, IsTheSameForAnyNumberOfThreadsAndAfterARestart) {
    const auto run = [](int threads, bool again) {
        return with_threads(threads, [&] {
            const auto s = start(layers(3.2e-4));
            advance(*s, 0.2);
            const Snapshot then = s->snapshot();
            advance(*s, 0.3);
            if (again) {
                EXPECT_TRUE(s->restore(then));
                advance(*s, 0.3);
            }
            const Pool& pool = s->particles();
            std::vector<double> all;
            for (std::size_t i = 0; i < pool.size(); ++i)
                all.insert(all.end(), {double(pool[pool.id][i]), pool[pool.position][i].x, pool[pool.mass][i],
                                       column(*s, "concentration_syrup")[i]});
            return all;
        });
    };
    const auto one = run(1, false);
    EXPECT_EQ(run(3, false), one);
    EXPECT_EQ(run(2, true), one);
}

TEST(Mixing, BadScenesGetAMessage) {
    expect_error(slab(), {"bodies.left.concentration={\"sirup\": 1}"}, "did you mean \"syrup\"");
    expect_error(slab(), {"bodies.left.concentration={\"syrup\": 0.7, \"dye\": 0.7}"}, "add up to 1.4");
    expect_error(slab(), {"bodies.left.concentration={\"syrup\": -1}"}, "from 0 to 1");
    expect_error(slab(), {"behaviors.miscible.dispersion=-1"}, "from 0");
    expect_error(slab(), {"bodies.left.behaviors={\"fluid\": {\"density\": 900}}"}, "cannot change places");
    expect_error(slab(), {"solutes=null", "bodies.left.concentration=null", "bodies.right.concentration=null"},
                 "nothing to mix");
    expect_error(slab(),
                 {"bodies.left.behaviors={\"drag\": {\"weight\": {\"over\": \"concentration\", \"of\": \"salt\", "
                  "\"keys\": [[0, 1]]}}}"},
                 "no solute \"salt\"");
}

} // namespace
} // namespace loam::test
