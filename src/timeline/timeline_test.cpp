// Keys as a scene has them: what each particle feels in a step, seen by the velocity that it takes up.
#include "timeline/timeline.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

constexpr double step_length = 0.01;

// Lone particles of a body at these heights, far from each other, on which gravity acts by this weight.
std::unique_ptr<Simulation> start(const std::string& weight, std::initializer_list<double> heights,
                                  const std::string& more = "") {
    std::string shapes;
    for (const double y : heights) {
        const std::string low = std::to_string(y - 0.05), high = std::to_string(y + 0.05);
        shapes += (shapes.empty() ? "" : ", ") + (R"({"box": {"min": [-0.05, )" + low) + R"(], "max": [0.05, )" + high +
                  "]}}";
    }
    const auto scene = read_scene(R"({"dimensions": 2, "particle_radius": 0.05, "solver": {"time_step": 0.01},
        "bodies": {"drops": {"shape": {"union": [)" +
                                      shapes + R"(]}, "behaviors": {"fluid": {}, "gravity": {"acceleration": [0, -10],
            "weight": )" + weight + "}}}" +
                                      more + "}}",
                                  "test", known_registries());
    EXPECT_TRUE(scene) << scene.error().text();
    auto simulation = Simulation::create(*scene);
    EXPECT_TRUE(simulation) << simulation.error().text();
    return std::move(*simulation);
}

// The weights that act in the next step, by id.
std::vector<double> weights(Simulation& s) {
    const Pool& pool = s.particles();
    std::vector<double> before(pool.next_id), acting;
    for (std::size_t i = 0; i < pool.size(); ++i) before[pool[pool.id][i]] = pool[pool.velocity][i].y;
    EXPECT_TRUE(s.step(s.time() + step_length));
    acting.resize(before.size());
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const std::uint32_t id = pool[pool.id][i];
        if (id < before.size()) acting[id] = (before[id] - pool[pool.velocity][i].y) / (10 * step_length);
    }
    return acting;
}

constexpr double rounding = 2e-5; // of velocities

TEST(Timeline, KeysOverTimeHoldBeforeAndAfterAndAreThoseOfTheStepsBegin) {
    const auto s = start(R"({"keys": [[0.02, 0.2], [0.06, 1]]})", {0});
    const double expected[]{0.2, 0.2, 0.2, 0.4, 0.6, 0.8, 1, 1};
    for (const double weight : expected) EXPECT_NEAR(weights(*s)[0], weight, rounding) << "at " << s->time();
}

TEST(Timeline, StepsOfKeysChangeAtTheKey) {
    const auto s = start(R"({"interpolation": "step", "keys": [[0, 1], [0.015, 0.5], [0.03, 0]]})", {0});
    for (const double weight : {1.0, 1.0, 0.5, 0.0, 0.0}) EXPECT_NEAR(weights(*s)[0], weight, rounding) << s->time();
}

TEST(Timeline, KeysOverHeightAreAParticlesOwn) {
    const auto s = start(R"({"over": "height", "keys": [[0, 0.1], [2, 0.9]]})", {-3, 0, 0.5, 1.5, 2, 7});
    const std::vector<double> found = weights(*s);
    std::vector<double> sorted(found);
    std::sort(sorted.begin(), sorted.end());
    const double expected[]{0.1, 0.1, 0.3, 0.7, 0.9, 0.9};
    ASSERT_EQ(sorted.size(), std::size(expected));
    for (std::size_t k = 0; k < sorted.size(); ++k) EXPECT_NEAR(sorted[k], expected[k], rounding) << k;
}

TEST(Timeline, KeysOverSpeedFollowIt) {
    const auto s = start(R"({"over": "speed", "keys": [[0, 0.5], [0.1, 1]]})", {0});
    double speed = 0;
    for (int step = 0; step < 5; ++step) {
        const double expected = 0.5 + 5 * std::min(speed, 0.1);
        EXPECT_NEAR(weights(*s)[0], expected, rounding) << step;
        speed += 10 * step_length * expected;
    }
}

// Ages count from a particle's own birth, and temperatures are its body's from birth on, whenever that is.
TEST(Timeline, AgesAndTemperaturesBeginAtBirth) {
    const auto s =
        start("1", {0}, R"(, "jet": {"temperature": 400, "emitters": {"tap": {"direction": [1, 0], "speed": 1,
            "shape": {"box": {"min": [4.95, -0.05], "max": [5.05, 0.05]}}}},
        "behaviors": {"fluid": {}, "gravity": {"acceleration": [0, -10], "weight": {"over": "age", "keys": [[0, 0], [0.1, 1]]}},
            "drag": {"linear": 1, "weight": {"over": "temperature", "keys": [[300, 0], [500, 1]]}}}})");
    const Pool& pool = s->particles();
    ASSERT_TRUE(s->advance(0.4));
    ASSERT_GE(pool.size(), 4u);
    const std::size_t age = pool.find("age"), temperature = pool.find("temperature");
    ASSERT_NE(age, SIZE_MAX);
    ASSERT_NE(temperature, SIZE_MAX);
    std::set<float> ages;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const auto value = [&](std::size_t column) { return reinterpret_cast<const float*>(pool.bytes(column))[i]; };
        if (pool[pool.body][i] == 0) {
            EXPECT_NEAR(value(age), 0.4, 1e-5);
            EXPECT_NEAR(value(temperature), 293.15, 1e-3);
        } else {
            EXPECT_TRUE(ages.insert(value(age)).second) << "two of the same age " << value(age);
            EXPECT_NEAR(value(temperature), 400, 1e-3);
        }
    }
    EXPECT_GE(*ages.begin(), 0);
    EXPECT_LT(*ages.begin(), 0.11); // the tap fills anew after each spacing
    EXPECT_NEAR(*ages.rbegin() - *ages.begin(), 0.1 * static_cast<double>(ages.size() - 1), 0.011);
}

} // namespace
} // namespace loam
