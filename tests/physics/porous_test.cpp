// Water in pores: how fast it goes in and through, what it does to what it is in, and that none is lost.
#include <map>

#include <gtest/gtest.h>

#include "every_solver.h"

namespace loam::test {
namespace {

std::map<std::string, double> water(const Simulation& s) {
    std::map<std::string, double> all;
    for (const Account& account : s.accounts())
        if (account.name == "water") all.insert(account.entries.begin(), account.entries.end());
    return all;
}

double value(const Simulation& s, const char* column, std::size_t i) {
    const Pool& pool = s.particles();
    const std::size_t index = pool.find(column);
    if (index == SIZE_MAX) throw std::runtime_error(std::string("no column ") + column);
    return reinterpret_cast<const float*>(pool.bytes(index))[i];
}

template <class Counts> double mean(const Simulation& s, const char* column, const Counts& counts) {
    double sum = 0, n = 0;
    for (std::size_t i = 0; i < s.particles().size(); ++i)
        if (counts(i)) sum += value(s, column, i), ++n;
    return n > 0 ? sum / n : 0;
}

// What porous flow does to free fluid, alone: volume and mass go at a constant reach of the kernel.
class ChangingVolume : public testing::TestWithParam<std::string> {};

TEST_P(ChangingVolume, ABlockThatShrinksDisturbsNothing) {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "particle_radius": 0.005, "duration": 2, "fps": 50, "solver": {{{}}},
      "behaviors": {{"gravity": {{}}}},
      "bodies": {{"water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.4, 0.2]}}}},
                            "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
                 "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.4, 0.4]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        settings(GetParam())));
    Pool& pool = s->particles();
    std::vector<std::uint8_t> shrinks(pool.next_id, 0);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d p = pool[pool.position][i];
        shrinks[pool[pool.id][i]] = std::abs(p.x - 0.2) < 0.05 && p.y < 0.1;
    }
    const auto fastest = [&](bool small) {
        double most = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if ((shrinks[pool[pool.id][i]] != 0) == small)
                most = std::max(most, length(pool[pool.velocity][i].xyz_double()));
        return most;
    };
    advance(*s, 0.2);
    const std::size_t count = pool.size();
    double full = 0, small = 0;
    const double begin = s->time();
    advance(*s, 1.2, [&] {
        const double share = std::exp(-2.9 * s->context().dt); // to 1/18 within the second: below 1/20 they are joined
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (shrinks[pool[pool.id][i]])
                for (const Column<float> column : {pool.volume, pool.mass})
                    pool[column][i] *= static_cast<float>(share);
        if (s->time() > begin + 0.1) full = std::max(full, fastest(false)), small = std::max(small, fastest(true));
    });
    EXPECT_EQ(pool.size(), count);
    // An eighth of the water sinks away within a third of a second: what is above it falls in as fast, no faster.
    EXPECT_LT(full, 0.6);
    EXPECT_LT(small, 0.9);
    advance(*s, 3);
    EXPECT_LT(fastest(false), 0.1) << "it comes to rest";
    EXPECT_LT(fastest(true), 0.5) << "and what is left of the block floats about in it";
    double highest = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (!shrinks[pool[pool.id][i]]) highest = std::max(highest, pool[pool.position][i].y);
    EXPECT_NEAR(highest, 0.176, 0.012);
}
INSTANTIATE_TEST_SUITE_P(Solvers, ChangingVolume, testing::Values("dfsph", "iisph", "pcisph", "pbf"),
                         [](const auto& test) { return test.param; });

// P1: water above a full column runs through it and out below. Its head falls by exp(-K rho g t / (mu L)).
TEST(Porous, DarcyFallingHead) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.001, "duration": 1, "fps": 20,
      "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0.1], "max": [0.02, 0.2]}},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.01}}},
        "plug": {"shape": {"box": {"min": [0, 0], "max": [0.02, 0.1]}}, "saturation": 1,
                 "behaviors": {"rigid": {"held": true, "density": 500},
                               "porous": {"porosity": 0.4, "permeability": 1e-9, "capillary": 1000}}},
        "tank": {"shape": {"box": {"min": [0, -0.1], "max": [0.02, 0.3]}, "invert": true}, "boundary": {}}}})");
    const Pool& pool = s->particles();
    const auto before = water(*s);
    const auto head = [&] {
        return total(*s, [&](std::size_t i) {
            return pool[pool.body][i] == 0 && pool[pool.position][i].y > 0.1 ? pool[pool.mass][i] / 1000 / 0.02 : 0;
        });
    };
    advance(*s, 0.2);
    const double first = head();
    advance(*s, 1);
    const double rate = 1e-9 * 1000 * 9.81 / 1e-3 / 0.1;
    const double expected = (first + 0.1) * (1 - std::exp(-0.8 * rate));
    EXPECT_NEAR((first - head()) / expected, 1, 0.02);
    const auto after = water(*s);
    EXPECT_NEAR(after.at("sum") / before.at("sum"), 1, 1e-12);
    EXPECT_NEAR(after.at("absorbed") / before.at("absorbed"), 1, 5e-3) << "what goes in comes out";
    for (std::size_t i = 0; i < pool.size(); ++i) EXPECT_LE(value(*s, "saturation", i), 1);
    const auto inside = [&](std::size_t i) {
        return pool[pool.body][i] == 1 && std::abs(pool[pool.position][i].y - 0.05) < 0.02;
    };
    double down = 0, n = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (inside(i)) down -= reinterpret_cast<const Float4*>(pool.bytes(pool.find("pore_velocity")))[i].y, ++n;
    EXPECT_NEAR(down / n / (rate * (head() + 0.1) / 0.4), 1, 0.06) << "pore velocity";
}

// P3: h dh/dt = k / (mu phi) (p_c + what the water in front presses with).
TEST(Porous, WashburnSoaking) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.0005, "duration": 1, "fps": 40,
      "behaviors": {"gravity": {"acceleration": [1, 0, 0]}},
      "bodies": {
        "water": {"shape": {"box": {"min": [-0.04, 0], "max": [0, 0.005]}},
                  "behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.01}}},
        "strip": {"shape": {"box": {"min": [0, 0], "max": [0.08, 0.005]}},
                  "behaviors": {"rigid": {"held": true, "density": 500},
                                "porous": {"porosity": 0.4, "permeability": 1e-9, "capillary": 1000, "exponent": 0.02}}},
        "tank": {"shape": {"box": {"min": [-0.05, 0], "max": [0.08, 0.005]}, "invert": true}, "boundary": {}}}})");
    const auto depth = [&] { return water(*s).at("absorbed") / 1000 / 0.4 / 0.005; };
    const double sum = water(*s).at("sum");
    // At first the water in front cannot follow as fast as pores would take it.
    advance(*s, 0.3);
    double expected = depth(), t = 0.3;
    std::vector<double> logs_t, logs_h;
    for (; t < 0.999; t += 0.1) {
        for (int k = 0; k < 1000; ++k)
            expected += 1e-4 * 1e-6 / 0.4 * (1000 + 1000 * 1.0 * (0.04 - 0.4 * expected)) / expected;
        advance(*s, t + 0.1);
        EXPECT_NEAR(depth() / expected, 1, 0.03) << "at " << s->time();
    }
    EXPECT_NEAR(depth(), 0.0707, 0.06 * 0.0707); // with what is lost at the start
    EXPECT_NEAR(water(*s).at("sum") / sum, 1, 1e-12);
}

// Water stands as high as its weight allows: psi = rho g h.
TEST(Porous, RisesAsHighAsSuctionCarries) {
    const auto height = [](double capillary) {
        const auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.0015, "duration": 3, "fps": 20,
          "behaviors": {{"gravity": {{}}}},
          "bodies": {{
            "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.09, 0.02]}}}},
                      "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.01}}}}}},
            "strip": {{"shape": {{"box": {{"min": [0.03, 0.021], "max": [0.042, 0.12]}}}},
                      "behaviors": {{"rigid": {{"held": true, "density": 500, "slip": "free"}},
                        "porous": {{"porosity": 0.4, "permeability": 4e-9, "capillary": {}, "exponent": 0.02}}}}}},
            "plunger": {{"shape": {{"box": {{"min": [0.0605, 0.021], "max": [0.0895, 0.06]}}}},
                        "boundary": {{"motion": {{"translation": {{"keys": [[0, [0, 0, 0]], [0.5, [0, -0.012, 0]]]}}}}}}}},
            "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.09, 0.2]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                                         capillary));
        advance(*s, 3);
        return water(*s).at("absorbed") / 1000 / 0.4 / 0.012;
    };
    const double low = height(250), high = height(500);
    EXPECT_NEAR(low, 250 / 9810.0, 0.008);
    EXPECT_GT(high, 1.6 * low);
}

// P8: a body left alone is 1 + beta S times as large, without shear; and as heavy as its water makes it.
TEST(Porous, SwellsAndGainsWeight) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.005, "duration": 2, "fps": 10,
      "bodies": {"sponge": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.1]}}, "saturation": 0.5,
        "behaviors": {"elastic": {"young_modulus": 20000, "density": 300, "damping": 0.1},
                      "porous": {"porosity": 0.7, "swelling": 0.2}}}}})");
    const Pool& pool = s->particles();
    advance(*s, 2);
    Bounds bounds;
    for (const Vec3d& p : pool[pool.position]) bounds.add(p);
    const double wider = bounds.size().x / 0.19, higher = bounds.size().y / 0.09;
    // Its pores get wider too, so that the same water fills them less.
    const double saturation = mean(*s, "saturation", [](std::size_t) { return true; });
    EXPECT_NEAR(saturation, 0.5 * 0.7 / (wider * higher - 0.3), 2e-3);
    EXPECT_NEAR(wider * higher, 1 + 0.2 * saturation, 0.002);
    EXPECT_NEAR(wider / higher, 1, 0.002);
    const double mass = total(*s, [&](std::size_t i) { return pool[pool.mass][i]; });
    EXPECT_NEAR(mass, 0.02 * (300 + 0.5 * 0.7 * 1000), 1e-3);
}

std::string bath(const std::string& body, double duration) {
    return fmt::format(R"({{"dimensions": 2, "particle_radius": 0.005, "duration": {}, "fps": 20,
      "behaviors": {{"gravity": {{}}}},
      "bodies": {{"water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.3, 0.15]}}}},
                            "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
                 "body": {},
                 "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.3, 0.4]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                       duration, body);
}
std::string float_of(double permeability) {
    return fmt::format(R"({{"shape": {{"box": {{"min": [0.1, 0.16], "max": [0.2, 0.2]}}}},
        "behaviors": {{"rigid": {{"density": 500}}, "porous": {{"porosity": 0.7, "permeability": {}}}}}}})",
                       permeability);
}

double height(const Simulation& s, std::uint32_t body) {
    const Pool& pool = s.particles();
    double sum = 0, n = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == body) sum += pool[pool.position][i].y, ++n;
    return sum / n;
}

TEST(Porous, AFloatSoaksAndSinks) {
    const auto tight = start(bath(float_of(0), 3)), loose = start(bath(float_of(1e-9), 3));
    const auto before = water(*loose);
    advance(*tight, 3), advance(*loose, 3);
    EXPECT_GT(height(*tight, 1), 0.1);
    EXPECT_LT(height(*loose, 1), 0.05);
    const auto after = water(*loose);
    EXPECT_NEAR(after.at("sum") / before.at("sum"), 1, 1e-12);
    EXPECT_GT(after.at("absorbed"), 0.9 * 0.7 * 4);
    EXPECT_EQ(water(*tight).at("absorbed"), 0);
    const Pool& pool = loose->particles();
    double free = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 0) free += pool[pool.mass][i];
    EXPECT_NEAR(free, after.at("free"), 1e-5 * free) << "masses are those of the water";
}

// A press closes and opens: what comes out is taken up again.
TEST(Porous, SqueezedWaterComesOut) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.0025, "duration": 1.2, "fps": 20,
      "behaviors": {"gravity": {}},
      "bodies": {
        "sponge": {"shape": {"box": {"min": [0, 0], "max": [0.08, 0.06]}}, "saturation": 0.95,
          "behaviors": {"elastic": {"young_modulus": 20000, "poisson_ratio": 0.1, "density": 300, "damping": 0.01},
                        "porous": {"porosity": 0.7, "permeability": 1e-10}}},
        "water": {"behaviors": {"fluid": {}, "viscosity": {"viscosity": 0.01}}},
        "press": {"shape": {"box": {"min": [-0.02, 0.0625], "max": [0.1, 0.08]}},
          "boundary": {"motion": {"translation": {"keys": [[0, [0, 0, 0]], [0.2, [0, 0, 0]], [1, [0, -0.02, 0]]]}}}},
        "tank": {"shape": {"box": {"min": [-0.06, 0], "max": [0.14, 0.2]}, "invert": true},
                 "boundary": {"slip": "friction", "friction": 0.5}}}})");
    const auto before = water(*s);
    EXPECT_EQ(before.at("free"), 0);
    advance(*s, 1.2);
    const auto after = water(*s);
    EXPECT_NEAR(after.at("sum") / before.at("sum"), 1, 1e-12);
    // The solid part keeps its volume: pores lose what the body does.
    EXPECT_GT(after.at("free"), 0.1 * before.at("absorbed"));
    EXPECT_LT(after.at("free"), 0.6 * before.at("absorbed"));
    for (std::size_t i = 0; i < s->particles().size(); ++i) EXPECT_LE(value(*s, "saturation", i), 1);
}

TEST(Porous, DryingLosesWhatItSays) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.005, "duration": 1, "fps": 10,
      "bodies": {"block": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.2]}}, "saturation": 0.5,
        "behaviors": {"rigid": {"held": true}, "porous": {"drying": 2}}}}})");
    const double before = water(*s).at("absorbed");
    advance(*s, 1);
    EXPECT_NEAR(before - water(*s).at("absorbed"), 2 * 0.8, 0.3) << "a perimeter of 0.8 m for a second";
    EXPECT_NEAR(water(*s).at("dried"), before - water(*s).at("absorbed"), 1e-9);
}

TEST(Porous, GoesOnTheSameFromASnapshot) {
    const auto s = start(bath(float_of(1e-9), 1));
    advance(*s, 0.4);
    const Snapshot then = s->snapshot();
    const auto state = [&] {
        const Pool& pool = s->particles();
        double mix = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            mix += (pool[pool.id][i] % 97 + 1.0) *
                   (pool[pool.position][i].x + pool[pool.position][i].y + pool[pool.mass][i]);
        return mix;
    };
    advance(*s, 0.7);
    const double once = state(), counted = water(*s).at("taken_up");
    const std::size_t particles = s->particles().size();
    ASSERT_TRUE(s->restore(then));
    advance(*s, 0.7);
    EXPECT_EQ(s->particles().size(), particles);
    EXPECT_EQ(state(), once);
    EXPECT_EQ(water(*s).at("taken_up"), counted);
}

// Water climbs into a block that hangs into it, as easily as its axes let it: they turn with it.
double climbed(const std::string& porous, const std::string& motion) {
    const auto s = start(fmt::format(R"({{"dimensions": 2, "particle_radius": 0.0025, "duration": 1, "fps": 20,
      "behaviors": {{"gravity": {{}}}},
      "bodies": {{
        "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.12, 0.03]}}}},
                  "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
        "block": {{"shape": {{"box": {{"min": [0.03, 0.05], "max": [0.09, 0.11]}}}}, "motion": {{{}}},
                  "behaviors": {{"rigid": {{"density": 500}}, "porous": {{"porosity": 0.5, "capillary": 3000, {}}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.12, 0.2]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                                     motion, porous));
    advance(*s, 0.6);
    return water(*s).at("absorbed");
}

TEST(Porous, AxesTurnWithTheBody) {
    const std::string down = R"("translation": {"keys": [[0, [0, 0, 0]], [0.2, [0, 0, 0]], [0.25, [0, -0.025, 0]]]})";
    const std::string turn = R"("pivot": [0.06, 0.08], "angle": {"keys": [[0, 0], [0.2, 90]]}, )";
    const std::string across = R"("permeability": 1e-9, "axes": [1, 0.01, 1])",
                      along = R"("permeability": 1e-9, "axes": [0.01, 1, 1])";
    const double hindered = climbed(across, down), free = climbed(along, down), turned = climbed(across, turn + down);
    EXPECT_GT(free, 1.5 * hindered);
    EXPECT_NEAR(turned / free, 1, 0.15);
}

TEST(Porous, PermeabilityMayBeAFormulaOfPlace) {
    const auto s = start(bath(R"J({"shape": {"box": {"min": [0.1, 0.16], "max": [0.2, 0.2]}},
        "behaviors": {"rigid": {"density": 700}, "porous": {"porosity": 0.5, "permeability": 1e-9, "capillary": 3000,
                                                            "variation": "0.01 + 0.99*step(x - 0.15)"}}})J",
                              0.3));
    const Pool& pool = s->particles();
    const Vec3d middle = {0.15, 0, 0};
    std::vector<std::uint8_t> right(pool.next_id, 0);
    for (std::size_t i = 0; i < pool.size(); ++i) right[pool[pool.id][i]] = pool[pool.position][i].x > middle.x;
    advance(*s, 0.3);
    const auto side = [&](bool which) {
        return mean(*s, "saturation",
                    [&](std::size_t i) { return pool[pool.body][i] == 1 && (right[pool[pool.id][i]] != 0) == which; });
    };
    EXPECT_GT(side(true), 2 * side(false));
}

// Of coarse media only the grains push water aside: a raft of them floats as deep as that says.
TEST(Porous, GravelIsLiftedByWhatItsGrainsDisplace) {
    const auto s = start(bath(R"({"shape": {"box": {"min": [0.1, 0.1], "max": [0.2, 0.2]}},
        "behaviors": {"rigid": {"density": 250}, "porous": {"flow": "through", "porosity": 0.5, "permeability": 1e-8}}})",
                              3),
                         {"bodies.water.shape={\"box\": {\"min\": [0, 0], \"max\": [0.3, 0.09]}}",
                          "bodies.water.behaviors.viscosity.viscosity=0.1"});
    advance(*s, 3);
    const Pool& pool = s->particles();
    double top = 0, bottom = 1;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 1)
            top = std::max(top, pool[pool.position][i].y), bottom = std::min(bottom, pool[pool.position][i].y);
    // Half of its volume is grains, a quarter of water's density: it sinks in to the half. Water: 0.09 and what it
    // displaces.
    const double level = 0.09 + 0.5 * 0.05 * 0.1 / 0.3;
    EXPECT_NEAR(level - (bottom - 0.005), 0.05, 0.015);
}

std::string refusal(const std::string& body) {
    try {
        start(bath(body, 1));
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(Porous, BadInputIsRefusedWithWords) {
    const auto solid = [](const std::string& porous, const std::string& more = "") {
        return R"({"shape": {"box": {"min": [0.1, 0.16], "max": [0.2, 0.2]}}, )" + more +
               R"("behaviors": {"rigid": {}, "porous": )" + porous + "}}";
    };
    EXPECT_NE(refusal(solid(R"({"porosity": 0})")).find("porosity"), std::string::npos);
    EXPECT_NE(refusal(solid(R"({"porosity": 1.2})")).find("porosity"), std::string::npos);
    EXPECT_NE(refusal(solid(R"({"permeability": -1e-11})")).find("permeability"), std::string::npos);
    EXPECT_NE(refusal(solid("{}", R"("saturation": 1.5, )")).find("saturation"), std::string::npos);
    EXPECT_NE(refusal(solid(R"({"variation": "1 +"})")).find("body.behaviors.porous.variation"), std::string::npos);
    EXPECT_NE(refusal(solid(R"({"variation": "-x"})")).find("is -0.105"), std::string::npos);
    EXPECT_NE(refusal(R"({"shape": {"box": {"min": [0.1, 0.16], "max": [0.12, 0.18]}},
                          "behaviors": {"rigid": {}, "porous": {"porosity": 0.1}}})")
                  .find("less than one particle of fluid"),
              std::string::npos);
    EXPECT_NE(refusal(solid(R"({"fluid": "body"})")).find("is no fluid"), std::string::npos);
    EXPECT_NE(refusal(R"({"shape": {"box": {"min": [0.1, 0.16], "max": [0.2, 0.2]}},
                         "behaviors": {"fluid": {}, "porous": {}}})")
                  .find("a fluid has no pores"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"shape": {"box": {"min": [0.1, 0.16], "max": [0.2, 0.2]}}, "saturation": 0.5,
                         "behaviors": {"rigid": {}}})")
                  .find("no pores that could be wet"),
              std::string::npos);
}

} // namespace
} // namespace loam::test
