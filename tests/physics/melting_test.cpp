// Melting and freezing: solids that lose particles to their melt and take them back, one by one.
#include <cmath>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "exchanged.h"

namespace loam::test {
namespace {

std::vector<std::size_t> by_id(const Simulation& s) {
    const Pool& pool = s.particles();
    std::vector<std::size_t> index(pool.next_id);
    for (std::size_t i = 0; i < pool.size(); ++i) index[pool[pool.id][i]] = i;
    return index;
}
Vec3d place(const Simulation& s, std::size_t id) { return s.particles()[s.particles().position][by_id(s)[id]]; }

const std::string melts = R"("heat": {"conductivity": 1, "solidus": 272, "liquidus": 274, "latent_heat": 334000})";
const std::string rigid_until_melted =
    R"("rigid": {"density": 900, "weight": {"over": "melted", "interpolation": "step", "keys": [[0, 1], [0.5, 0]]}},
       "fluid": {"density": 900, "weight": {"over": "melted", "interpolation": "step", "keys": [[0, 0], [0.5, 1]]}}, )";

// A bar that spins freely, 0.4 m long; its middle is heated from 0.2 s on.
std::string bar() {
    return R"({"dimensions": 2, "particle_radius": 0.01, "duration": 1, "fps": 20,
      "bodies": {"bar": {"shape": {"box": {"min": [-0.2, -0.02], "max": [0.2, 0.02]}}, "temperature": 270,
        "start": {"velocity": {"spin": [0, 0, 3]}},
        "behaviors": {)" +
           rigid_until_melted + melts + R"(}}},
      "heaters": {"torch": {"shape": {"sphere": {"radius": 0.035}}, "power": 5e7, "start": 0.2, "stop": 0.4}}})";
}

TEST(RigidMelting, WhatIsMeltedThroughFallsIntoTwo) {
    const auto s = start(bar());
    const Pool& pool = s->particles();
    const auto index = by_id(*s);
    std::size_t left = 0, right = 0, left_too = 0; // ids: two ends, and a neighbor of one
    for (std::size_t k = 0; k < index.size(); ++k) {
        const Vec3d at = pool[pool.position][index[k]];
        if (at.x < pool[pool.position][index[left]].x) left = k;
        if (at.x > pool[pool.position][index[right]].x) right = k;
        if (length(at - Vec3d{-0.13, 0.01, 0}) < 0.011) left_too = k;
    }
    const auto apart = [&](std::size_t a, std::size_t b) { return length(place(*s, a) - place(*s, b)); };
    const double whole = apart(left, right), within = apart(left, left_too);
    const Vec3d before = momentum(*s);
    advance(*s, 0.2);
    EXPECT_NEAR(apart(left, right), whole, 1e-5) << "all of it turns as one";
    advance(*s, 1);
    double melted = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) melted += column(*s, "melted")[i] > 0.5f;
    EXPECT_GT(melted, 3);
    EXPECT_LT(melted, 0.5 * static_cast<double>(pool.size()));
    EXPECT_GT(apart(left, right), 1.5 * whole) << "the halves have flown apart";
    EXPECT_NEAR(apart(left, left_too), within, 1e-5) << "each is still rigid";
    EXPECT_LT(length(momentum(*s) - before), 1e-4 * 900 * 0.016 * 0.6);
}

TEST(RigidMelting, IsTheSameForAnyNumberOfThreadsAndAfterARestart) {
    const auto run = [](int threads, bool again) {
        return with_threads(threads, [&] {
            const auto s = start(bar());
            advance(*s, 0.25);
            const Snapshot then = s->snapshot();
            advance(*s, 0.35);
            if (again) {
                const auto other = start(bar());
                EXPECT_TRUE(other->restore(then));
                advance(*other, 0.35);
                const Pool& pool = other->particles();
                std::vector<double> all;
                for (const Vec3d& x : pool[pool.position]) all.insert(all.end(), {x.x, x.y});
                return all;
            }
            const Pool& pool = s->particles();
            std::vector<double> all;
            for (const Vec3d& x : pool[pool.position]) all.insert(all.end(), {x.x, x.y});
            return all;
        });
    };
    const auto one = run(1, false);
    EXPECT_EQ(run(3, false), one);
    EXPECT_EQ(run(2, true), one);
}

// Ice in warm water shrinks, and none of the heat is lost.
TEST(RigidMelting, IceShrinksInWater) {
    const auto s =
        start(R"({"dimensions": 2, "particle_radius": 0.005, "duration": 2, "fps": 10, "behaviors": {"gravity": {}},
      "bodies": {
        "water": {"shape": {"box": {"min": [0, 0], "max": [0.3, 0.1]}}, "temperature": 320,
                  "behaviors": {"fluid": {}, "heat": {"rate": 2000, "solidus": 272, "liquidus": 274, "latent_heat": 334000}}},
        "ice": {"shape": {"box": {"min": [0.1, 0.11], "max": [0.2, 0.17]}}, "temperature": 270, "behaviors": {)" +
              rigid_until_melted +
              R"("heat": {"rate": 2000, "solidus": 272, "liquidus": 274, "latent_heat": 334000}}},
        "tank": {"shape": {"box": {"min": [0, 0], "max": [0.3, 0.4]}, "invert": true}, "boundary": {}}}})");
    const Pool& pool = s->particles();
    const double heat = kept(*s, "enthalpy");
    const auto solid = [&] {
        return total(*s, [&](std::size_t i) { return pool[pool.body][i] == 1 && column(*s, "melted")[i] < 0.5f; });
    };
    const double before = solid();
    advance(*s, 1);
    const double later = solid();
    advance(*s, 2);
    if (std::getenv("LOAM_SHOW")) fmt::print("ice: {} particles, {} after 1 s, {} after 2 s\n", before, later, solid());
    EXPECT_LT(later, 0.95 * before);
    EXPECT_LT(solid(), later);
    EXPECT_GT(later, 0);
    EXPECT_NEAR(kept(*s, "enthalpy") / heat, 1, 1e-12);
}

// Melted wax beside solid wax that is held: it freezes to it, and hangs.
TEST(ElasticFreezing, BondsToWhatIsThere) {
    const std::string scene = R"({"dimensions": 2, "particle_radius": 0.005, "duration": 2, "fps": 10,
      "behaviors": {"gravity": {"acceleration": [0, -5]}, "fluid": {"density": 900},
        "elastic": {"density": 900, "young_modulus": 1e5, "damping": 0.002, "weight": {"over": "melted", "keys": [[0.3, 1], [0.7, 0]]}},
        "heat": {"conductivity": 1, "specific_heat": 2000, "solidus": 320, "liquidus": 330, "latent_heat": 1e5, "rate": 1}},
      "bodies": {"wax": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.06]}}, "temperature": 300, "behaviors": {},
        "pins": {"hand": {"shape": {"box": {"min": [-0.1, -0.1], "max": [0.06, 0.2]}}}}}},
      "heaters": {"torch": {"shape": {"box": {"min": [0.1, -1], "max": [1, 1]}}, "temperature": 340, "stop": 0.03},
                  "cold": {"shape": {"box": {"min": [0.1, -1], "max": [1, 1]}}, "temperature": 300, "start": 0.03, "stop": 0.06}}})";
    const auto lowest = [](const Simulation& s) {
        double y = 1;
        for (const Vec3d& at : s.particles()[s.particles().position]) y = std::min(y, at.y);
        return y;
    };
    const auto frozen = start(scene);
    advance(*frozen, 1);
    EXPECT_GT(lowest(*frozen), -0.1) << "it hangs";
    const auto melted = start(scene, {"heaters.torch.stop=10", "heaters.cold=null"});
    advance(*melted, 1);
    EXPECT_LT(lowest(*melted), -0.5) << "it has fallen";
}

// Stiffness keyed over temperature: a warm beam sags more.
TEST(Keyed, StiffnessOverTemperature) {
    const auto sag = [](double temperature) {
        const auto s =
            start(R"({"dimensions": 2, "particle_radius": 0.005, "duration": 1, "fps": 10, "behaviors": {"gravity": {}},
          "bodies": {"beam": {"shape": {"box": {"min": [0, 0], "max": [0.2, 0.04]}}, "behaviors": {"elastic": {"damping": 0.01,
            "young_modulus": {"over": "temperature", "keys": [[300, 1e6], [400, 1e5]]}}},
            "pins": {"wall": {"shape": {"box": {"min": [-0.1, -0.1], "max": [0.02, 0.1]}}}}}}})",
                  {"bodies.beam.temperature=" + std::to_string(temperature)});
        advance(*s, 0.5);
        double y = 1;
        for (const Vec3d& at : s->particles()[s->particles().position]) y = std::min(y, at.y);
        return 0.005 - y;
    };
    const double cold = sag(300), warm = sag(400);
    EXPECT_GT(warm, 4 * cold);
}

} // namespace
} // namespace loam::test
