// Heat: a slab that a wall warms (H1), a front of melting (H2 of docs/validation.md), what is kept, what follows.
#include <cmath>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "behaviors/heat/enthalpy.h"
#include "exchanged.h"

namespace loam::test {
namespace {

TEST(Enthalpy, GoesThereAndBack) {
    for (const Enthalpy& wax : {Enthalpy{2000, 2e5, 320, 330}, Enthalpy{2000, 2e5, 320, 320},
                                Enthalpy{2000, 0, 320, 330}, Enthalpy{2000, 0, 0, 0}}) {
        for (double h = 1e5; h < 1.5e6; h += 1.234e4) {
            const double t = wax.temperature(h), f = wax.melted(h);
            EXPECT_NEAR(wax.specific_heat * t + wax.latent_heat * f, h, 1e-9 * h);
            const double b = 700, right = h + b * t;
            EXPECT_NEAR(wax.with_surroundings(b, right), h, 1e-9 * h);
        }
    }
}

// A slab at 300 K beside a wall at 400 K; alpha = 1e-3 m^2/s.
std::string slab(double time_step) {
    return R"({"dimensions": 2, "particle_radius": 0.01, "duration": 10, "fps": 1,
      "solver": {"time_step": )" +
           std::to_string(time_step) + R"(}, "domain": {"min": [-1, 0], "max": [2, 0.2], "periodic": "y"},
      "bodies": {
        "slab": {"shape": {"box": {"min": [0, 0], "max": [1, 0.2]}}, "temperature": 300,
                 "behaviors": {"fluid": {}, "heat": {"conductivity": 1000, "specific_heat": 1000}}},
        "wall": {"shape": {"box": {"min": [-0.1, -1], "max": [0, 2]}}, "boundary": {"temperature": 400}}}})";
}

class HeatedSlab : public testing::TestWithParam<double> {}; // time step [s]

TEST_P(HeatedSlab, WarmsAsItShould) {
    const auto s = start(slab(GetParam()));
    const Pool& pool = s->particles();
    const double before = own_enthalpy(*s);
    double highest = 0, lowest = 1e9;
    for (int second = 1; second <= 10; ++second) {
        advance(*s, second, [&] {
            for (std::size_t i = 0; i < pool.size(); ++i)
                highest = std::max<double>(highest, column(*s, "temperature")[i]),
                lowest = std::min<double>(lowest, column(*s, "temperature")[i]);
        });
        EXPECT_NEAR(own_enthalpy(*s) / before, 1, 1e-12);
    }
    const double spread = 2 * std::sqrt(1e-3 * 10);
    double squares = 0, first = 0;
    int count = 0, firsts = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double x = pool[pool.position][i].x, expected = std::erfc(x / spread);
        const double found = (column(*s, "temperature")[i] - 300) / 100;
        if (x < 2 * spread) squares += std::pow(found - expected, 2), ++count;
        if (x < 0.02) first += found - expected, ++firsts;
    }
    const double error = std::sqrt(squares / count);
    // All that came through the wall: 2 k dT sqrt(t / (pi alpha)) per area.
    const double flux = kept(*s, "supplied") / (0.2 * 2 * 1000 * 100 * std::sqrt(10 / (M_PI * 1e-3)));
    if (std::getenv("LOAM_SHOW"))
        fmt::print("H1: dt {} profile {:.4f} first layer {:.4f} heat {:.4f} of {}\n", GetParam(), error, first / firsts,
                   flux, pool.size());
    EXPECT_LT(error, 0.01);
    EXPECT_LT(std::abs(first / firsts), 0.01) << "the wall's temperature is that of its surface";
    EXPECT_NEAR(flux, 1, 0.015);
    EXPECT_LE(highest, 400 + 1e-3);
    EXPECT_GE(lowest, 300 - 1e-3);
}
INSTANTIATE_TEST_SUITE_P(ExplicitAndImplicit, HeatedSlab, testing::Values(0.02, 0.2));

// Ice at its melting point beside a wall that is 20 K warmer: the front goes as the root of time. 1000 s in one.
TEST(Stefan, FrontGoesAsItShould) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 1.25e-4, "duration": 1, "fps": 10,
      "solver": {"time_step": 2.5e-4}, "domain": {"min": [-0.01, 0], "max": [0.02, 0.002], "periodic": "y"},
      "bodies": {
        "ice": {"shape": {"box": {"min": [0, 0], "max": [0.012, 0.002]}}, "temperature": 273.15,
                "behaviors": {"fluid": {}, "viscosity": {"viscosity": 100},
                  "heat": {"conductivity": 0.6, "specific_heat": 4186, "solidus": 273.15,
                    "liquidus": 273.17, "latent_heat": 334000, "rate": 1000}}},
        "end": {"shape": {"box": {"min": [0.012, -0.01], "max": [0.013, 0.02]}}, "boundary": {}},
        "wall": {"shape": {"box": {"min": [-0.001, -0.01], "max": [0, 0.02]}}, "boundary": {"temperature": 293.15}}}})");
    const double before = own_enthalpy(*s);
    const auto front = [&] {
        return 0.012 * total(*s, [&](std::size_t i) { return column(*s, "melted")[i]; }) /
               static_cast<double>(s->particles().size());
    };
    advance(*s, 0.1);
    const double early = front();
    advance(*s, 1);
    const double late = front();
    if (std::getenv("LOAM_SHOW"))
        fmt::print("H2: front {:.4f} mm at 100 s (2.578), {:.4f} mm at 1000 s (8.153)\n", 1e3 * early, 1e3 * late);
    EXPECT_NEAR(late, 8.153e-3, 0.03 * 8.153e-3);
    EXPECT_NEAR(early, 2.578e-3, 0.06 * 2.578e-3); // ten spacings
    EXPECT_NEAR(own_enthalpy(*s) / before, 1, 1e-12);
}

std::string block(const std::string& heat, const std::string& more = "") {
    return R"({"dimensions": 2, "particle_radius": 0.01, "duration": 10, "fps": 1, "solver": {"time_step": 0.1},
      "bodies": {"block": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.4]}}, "temperature": 350,
                           "behaviors": {"fluid": {}, "heat": )" +
           heat + "}}}" + more + "}";
}
double mean_temperature(const Simulation& s) {
    return total(s, [&](std::size_t i) { return column(s, "temperature")[i]; }) /
           static_cast<double>(s.particles().size());
}

// Newton's law of cooling, by the surface of a square.
TEST(Heat, GoesToTheAirByTheSurface) {
    const auto s = start(block(R"({"cooling": 1000, "air": 290, "conductivity": 1e5, "specific_heat": 1000})"));
    const double before = own_enthalpy(*s);
    advance(*s, 10);
    const double expected = 290 + 60 * std::exp(-1000 * (4 * 0.4) * 10 / (1000.0 * 1000 * 0.16));
    if (std::getenv("LOAM_SHOW")) fmt::print("cooling: {:.3f} K, expected {:.3f}\n", mean_temperature(*s), expected);
    EXPECT_NEAR(mean_temperature(*s), expected, 0.05 * (350 - expected));
    EXPECT_NEAR(own_enthalpy(*s) / before, 1, 1e-12);
}

TEST(Heat, OfAHeaterIsItsPower) {
    const std::string heater =
        R"(, "heaters": {"plate": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.1]}}, "power": 20000, "start": 1, "stop": 6}})";
    const auto s = start(block("{}", heater));
    advance(*s, 10);
    EXPECT_NEAR(kept(*s, "supplied"), 1e5, 0.05 * 1e5); // steps of 0.1 s
    const auto warm = start(block("{}", heater), {"heaters.plate.power=null", "heaters.plate.temperature=370"});
    advance(*warm, 5);
    const Pool& pool = warm->particles();
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const float t = column(*warm, "temperature")[i];
        EXPECT_GE(t, pool[pool.position][i].y < 0.09 ? 370 - 1e-3 : 350 - 1e-3);
        EXPECT_LE(t, 370 + 1e-3);
    }
}

// Latent heat that melting took is given back by freezing, however often.
TEST(Heat, IsNotLostByMeltingAndFreezing) {
    const auto s = start(block(R"({"solidus": 345, "liquidus": 355, "latent_heat": 2e5, "conductivity": 50})",
                               R"(, "heaters": {"there": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.4]}},
              "power": {"interpolation": "step", "keys": [[0, 4e6], [1, -4e6], [3, 4e6], [5, -4e6], [7, 4e6], [9, -4e6]]}}})"));
    const double before = own_enthalpy(*s);
    const double enthalpy = kept(*s, "enthalpy");
    double most = 0;
    advance(*s, 10, [&] { most = std::max(most, std::abs(kept(*s, "enthalpy") - enthalpy)); });
    EXPECT_GT(most, 1e6);
    EXPECT_NEAR(own_enthalpy(*s) / before, 1, 1e-12);
}

// Warm water rises: the lower half of a tank is heated.
TEST(Heat, MakesWarmWaterRise) {
    const std::string scene = R"({"dimensions": 2, "particle_radius": 0.01, "duration": 3, "fps": 10,
      "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.4]}},
                  "behaviors": {"fluid": {}, "heat": {"expansion": 0.01}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.8]}, "invert": true}, "boundary": {}}},
      "heaters": {"fire": {"shape": {"box": {"min": [0, 0], "max": [0.1, 0.1]}}, "temperature": 353.15, "stop": 0.1}}})";
    const auto s = start(scene);
    const auto height = [&] { // of the heat
        double moment = 0, sum = 0;
        const Pool& pool = s->particles();
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const double warm = column(*s, "temperature")[i] - 293.15;
            moment += warm * pool[pool.position][i].y, sum += warm;
        }
        return moment / sum;
    };
    advance(*s, 0.2);
    const double before = height();
    advance(*s, 2);
    EXPECT_LT(before, 0.1);
    EXPECT_GT(height(), 0.2);
}

TEST(Heat, IsTheSameForAnyNumberOfThreadsAndAfterARestart) {
    const std::string scene =
        block(R"({"solidus": 345, "liquidus": 355, "latent_heat": 2e5, "conductivity": 500, "cooling": 10})",
              R"(, "heaters": {"there": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.4]}}, "power": 4e5}})");
    const auto run = [&](int threads, bool again) {
        return with_threads(threads, [&] {
            const auto s = start(scene);
            advance(*s, 1);
            const Snapshot then = s->snapshot();
            advance(*s, 2);
            if (again) {
                EXPECT_TRUE(s->restore(then));
                advance(*s, 2);
            }
            std::vector<double> all{kept(*s, "supplied")};
            for (std::size_t i = 0; i < s->particles().size(); ++i) all.push_back(column(*s, "temperature")[i]);
            return all;
        });
    };
    const auto one = run(1, false);
    EXPECT_EQ(run(3, false), one);
    EXPECT_EQ(run(2, true), one);
}

TEST(Heat, BadScenesGetAMessage) {
    expect_error(block(R"({"solidus": 350, "liquidus": 340})"), {}, "above liquidus");
    expect_error(block(R"({"latent_heat": -1})"), {}, "latent_heat");
    expect_error(block(R"({"latent_heat": 100})"), {}, "give solidus and liquidus");
    expect_error(block("{}", R"(, "heaters": {"it": {"shape": {"box": {"min": [0, 0], "max": [0, 1]}}, "power": 1}})"),
                 {}, "heaters.it");
    expect_error(block("{}", R"(, "heaters": {"it": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}}}})"), {},
                 "no power and no temperature");
}

} // namespace
} // namespace loam::test
