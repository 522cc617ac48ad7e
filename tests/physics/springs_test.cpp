// Mass points and springs: A5 and C4 of the validation list, and what every integrator has to keep.
#include <algorithm>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "figure.h"
#include "run_scene.h"

namespace loam::test {
namespace {

std::vector<std::size_t> by_id(const Simulation& s) {
    std::vector<std::size_t> order(s.particles().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[s.particles()[s.particles().id][i]] = i;
    return order;
}
Vec3d position(const Simulation& s, std::size_t i) { return s.particles()[s.particles().position][i]; }
void set_position(Simulation& s, std::size_t i, const Vec3d& p) { s.particles()[s.particles().position][i] = p; }

// A5: longitudinal waves of a chain with fixed ends are exactly linear, so leapfrog's frequency is known exactly, and
// its energy stays within bounds for ever.
struct Chain {
    int links;
    double angle; // omega dt
};
class ChainMode : public testing::TestWithParam<Chain> {};

TEST_P(ChainMode, HasLeapfrogsFrequencyAndBoundedEnergy) {
    const auto [links, angle] = GetParam();
    const double k = 100, spacing = 0.1, mass = 0.01, length = links * spacing;
    const double omega = 2 * std::sqrt(k / mass) * std::sin(std::numbers::pi / (2 * links)), dt = angle / omega;
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 1e4, "fps": 1, "particle_radius": 0.05, "solver": {{"time_step": {0},
             "pressure": "wcsph"}}, "bodies": {{"chain": {{"shape": {{"sheet": {{"corner": [0, 0], "u": [{1}, 0]}}}},
             "behaviors": {{"springs": {{"density": 100, "thickness": 0.001, "structural": {2}, "flexion": 0,
                           "structural_damping": 0, "integration": "explicit"}}}},
             "pins": {{"ends": {{"shape": {{"box": {{"min": [0.05, -1, -1], "max": [{3}, 1, 1]}}, "invert": true}}}}}}}}}}}})",
        dt, length, k, length - 0.05));
    set_velocities(*s, [&](const Vec3d& p) {
        return Vec3d{0.1 * spacing * omega * std::sin(std::numbers::pi * p.x / length), 0, 0};
    });
    const auto energy = [&] {
        const std::vector<std::size_t> order = by_id(*s);
        double sum = kinetic_energy(*s);
        for (std::size_t n = 1; n < order.size(); ++n) {
            const double stretch = position(*s, order[n]).x - position(*s, order[n - 1]).x - spacing;
            sum += 0.5 * k * stretch * stretch;
        }
        return sum;
    };
    // The middle's crossings of its place at rest, between steps by a straight line.
    const double rest = spacing * (links / 2);
    double first = -1, last = -1, before = 0, least = 1e300, most = 0, early = 0, late = 0;
    int crossings = 0;
    const int steps = 100000, window = 10000;
    for (int n = 0; n < steps; ++n) {
        ASSERT_TRUE(s->step(1e9));
        const double x = position(*s, by_id(*s)[static_cast<std::size_t>(links / 2)]).x - rest;
        if (n > 0 && before < 0 && x >= 0) {
            last = n - x / (x - before);
            if (first < 0)
                first = last;
            else
                ++crossings;
        }
        before = x;
        const double e = energy();
        least = std::min(least, e), most = std::max(most, e);
        if (n < window) early += e / window;
        if (n >= steps - window) late += e / window;
    }
    const double measured = 2 * std::numbers::pi * crossings / (last - first); // omega' dt
    const double leapfrog = 2 * std::asin(angle / 2);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("omega dt {}: shift {:.4f} %, leapfrog {:.4f} %, energy {:.3g} of mean, drift {:.2e}\n", angle,
                   100 * (measured / angle - 1), 100 * (leapfrog / angle - 1), (most - least) / early,
                   late / early - 1);
    EXPECT_NEAR(measured / leapfrog, 1, 2e-5);
    EXPECT_NEAR(late / early, 1, 3e-3);              // windows cut the energy's own oscillation
    EXPECT_LT(most / least, angle < 0.2 ? 1.25 : 2); // symplectic Euler's own energy is off by omega dt / 2
}

INSTANTIATE_TEST_SUITE_P(A5, ChainMode, testing::Values(Chain{16, 0.1}, Chain{2, 0.5}));

// C4: a rope of length 1.2 over a span of 1 hangs as a catenary.
TEST(Catenary, HasItsSagAndTension) {
    const double k = 2e6, density = 1000, thickness = 0.01, g = 9.81; // it stretches by 0.15 %
    const auto s = start(fmt::format(                                 // one end comes nearer until the span is 1
        R"({{"dimensions": 2, "duration": 12, "fps": 10, "particle_radius": 0.01,
             "behaviors": {{"gravity": {{}}, "drag": {{"coefficient": 0, "linear": 4}}}},
             "bodies": {{"rope": {{"shape": {{"sheet": {{"corner": [0, 0], "u": [1.2, 0]}}}},
                 "behaviors": {{"springs": {{"density": {0}, "thickness": {1}, "structural": {2}, "flexion": 0,
                                            "structural_damping": 0.2}}}},
                 "pins": {{"left": {{"shape": {{"box": {{"min": [-1, -1], "max": [0.005, 1]}}}}}},
                           "right": {{"shape": {{"box": {{"min": [1.195, -1], "max": [2, 1]}}}}, "motion": {{"translation":
                                      {{"interpolation": "smooth", "keys": [[0, [0, 0]], [1, [-0.2, 0]]]}}}}}}}}}}}}}})",
        density, thickness, k));
    advance(*s, 12);
    double lowest = 0;
    for (std::size_t i = 0; i < s->particles().size(); ++i) lowest = std::min(lowest, position(*s, i).y);
    const std::vector<std::size_t> now = by_id(*s);
    const double rest = 1.2 / static_cast<double>(now.size() - 1);
    const double weight = density * thickness * g; // per length
    const Vec3d way = position(*s, now[1]) - position(*s, now[0]);
    // What the pin holds: the first spring, and the half of its weight that hangs at the pinned point.
    const Vec3d pull = k * (length(way) - rest) * normalized(way) - Vec3d{0, 0.5 * rest * weight, 0};
    if (std::getenv("LOAM_SHOW"))
        fmt::print("sag {:.5f} (0.29234), end tension {:.4f} w (0.7619)\n", -lowest, length(pull) / weight);
    EXPECT_NEAR(-lowest / 0.29234, 1, 0.01);
    EXPECT_NEAR(length(pull) / weight / 0.7619, 1, 0.01);
    EXPECT_LT(kinetic_energy(*s), 1e-4);

    const double a = 0.46954;
    Figure figure("C4", {.title = "C4: catenary",
                         .subtitle = "length 1.2 over a span of 1, 61 points",
                         .panels = {{.x_label = "x / span", .y_label = "y / span"}}});
    figure.exact("a cosh(x / a)",
                 curve_of(0, 1, [&](double x) { return a * (std::cosh((x - 0.5) / a) - std::cosh(0.5 / a)); }));
    Curve rope;
    for (const std::size_t i : now) rope.emplace_back(position(*s, i).x, position(*s, i).y);
    figure.ours("springs", {rope});
}

std::string cloth(const std::string& integration, const std::string& more = "") {
    return fmt::format(
        R"({{"duration": 1, "fps": 50, "particle_radius": 0.01, {1}
             "bodies": {{"cloth": {{"shape": {{"sheet": {{"u": [0.3, 0, 0], "v": [0, 0, 0.24]}}}},
                 "behaviors": {{"springs": {{"density": 200, "thickness": 0.002, "integration": "{0}"}}}}}}}}}})",
        integration, more);
}

class SpringIntegrator : public testing::TestWithParam<std::string> {};

// A free cloth, stretched, bent and spinning: no method makes energy; momentum and angular momentum are kept.
TEST_P(SpringIntegrator, KeepsMomentaAndMakesNoEnergy) {
    const auto s = start(cloth(GetParam(), R"("solver": {"max_time_step": 0.004},)"));
    const std::vector<std::size_t> order = by_id(*s);
    std::vector<Vec3d> rest;
    for (const std::size_t i : order) rest.push_back(position(*s, i));
    for (const std::size_t i : order) {
        const Vec3d p = position(*s, i);
        set_position(*s, i, {1.05 * p.x, 0.02 * std::sin(12 * p.x), 1.02 * p.z});
    }
    set_velocities(*s, [](const Vec3d& p) {
        const Vec3d r = p - Vec3d{0.15, 0, 0.12};
        return cross(Vec3d{0.5, 1, 0.2}, r) + Vec3d{0.3, 0.1, -0.2};
    });
    const Pool& pool = s->particles();
    const auto spin = [&] {
        Vec3d sum;
        for (std::size_t i = 0; i < pool.size(); ++i)
            sum +=
                static_cast<double>(pool[pool.mass][i]) * cross(position(*s, i), pool[pool.velocity][i].xyz_double());
        return sum;
    };
    const auto energy = [&] { // with the springs of a 16 x 13 grid
        const std::vector<std::size_t> at = by_id(*s);
        double sum = kinetic_energy(*s);
        const auto add = [&](std::size_t a, std::size_t b, double k) {
            const double stretch = length(position(*s, at[a]) - position(*s, at[b])) - length(rest[a] - rest[b]);
            sum += 0.5 * k * stretch * stretch;
        };
        const std::size_t columns = 16, rows = 13;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < columns; ++c) {
                const std::size_t n = r * columns + c;
                if (c + 1 < columns) add(n, n + 1, 200);
                if (r + 1 < rows) add(n, n + columns, 200);
                if (c + 1 < columns && r + 1 < rows) add(n, n + columns + 1, 50), add(n + 1, n + columns, 50);
                if (c + 2 < columns) add(n, n + 2, 5);
                if (r + 2 < rows) add(n, n + 2 * columns, 5);
            }
        return sum;
    };
    ASSERT_EQ(order.size(), 16u * 13u);
    const Vec3d momentum_before = momentum(*s), spin_before = spin();
    const double energy_before = energy(), scale = length(momentum_before);
    double most = energy_before;
    for (int n = 1; n <= 40; ++n) advance(*s, 0.02 * n), most = std::max(most, energy());
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{}: energy {:.4g} -> {:.4g}, most {:.4g}, momentum {:.1e}, spin {:.1e} in {} steps\n", GetParam(),
                   energy_before, energy(), most, length(momentum(*s) - momentum_before) / scale,
                   length(spin() - spin_before) / length(spin_before), s->steps());
    EXPECT_LT(length(momentum(*s) - momentum_before), 2e-5 * scale);
    // Backward Euler, linearized, loses a little of a fast spin.
    EXPECT_LT(length(spin() - spin_before), (GetParam() == "implicit" ? 0.05 : 0.01) * length(spin_before));
    EXPECT_LT(most, 1.01 * energy_before);
}

INSTANTIATE_TEST_SUITE_P(All, SpringIntegrator,
                         testing::Values("explicit", "verlet", "rk4", "doubling", "fehlberg", "implicit", "filter",
                                         "kang"),
                         [](const auto& one) { return one.param; });

// Substeps that choose their length are as exact as they are told: a mass on a spring, some swings later, against the
// cosine that it should follow.
TEST(SpringAccuracy, FollowsItsTolerance) {
    for (const char* method : {"doubling", "fehlberg"}) {
        const auto off = [&](double accuracy) {
            const auto s = start(fmt::format(
                R"({{"dimensions": 2, "duration": 10, "fps": 10, "particle_radius": 0.05, "solver": {{"time_step": 0.05}},
                     "bodies": {{"pair": {{"shape": {{"sheet": {{"corner": [0, 0], "u": [0.1, 0]}}}},
                       "behaviors": {{"springs": {{"density": 100, "thickness": 0.01, "structural": 20, "flexion": 0,
                         "structural_damping": 0, "integration": "{}", "accuracy": {}}}}},
                       "pins": {{"end": {{"shape": {{"box": {{"min": [-1, -1, -1], "max": [0.05, 1, 1]}}}}}}}}}}}}}})",
                method, accuracy));
            const std::size_t free = position(*s, 0).x > 0.05 ? 0 : 1;
            const double mass = s->particles()[s->particles().mass][free], swing = 0.03;
            set_position(*s, free, {0.1 + swing, 0, 0});
            advance(*s, 2);
            return std::abs(position(*s, free).x - 0.1 - swing * std::cos(2 * std::sqrt(20 / mass))) / swing;
        };
        const double coarse = off(0.01), fine = off(2e-6);
        if (std::getenv("LOAM_SHOW")) fmt::print("{}: {:.3e} at 0.01, {:.3e} at 2e-6\n", method, coarse, fine);
        EXPECT_LT(fine, 2e-3) << method;
        EXPECT_LT(fine, 0.3 * coarse) << method;
    }
}

// The same bits for any number of threads, and after a restart in the middle; with tearing, which is state.
TEST(SpringRuns, AreTheSameForAnyThreadsAndAfterARestart) {
    for (const std::string integration : {"explicit", "fehlberg", "implicit", "filter"}) {
        const std::string text = cloth(integration, R"("behaviors": {"gravity": {}},)");
        const std::vector<std::string> more{
            "bodies.cloth.behaviors.springs.tear=0.04",
            "bodies.cloth.pins={\"edge\": {\"shape\": {\"box\": {\"min\": [-1, -1, -1], \"max\": [0.015, 1, 1]}}}}"};
        const auto positions = [](const Simulation& s) {
            std::vector<Vec3d> all;
            for (const std::size_t i : by_id(s)) all.push_back(position(s, i));
            return all;
        };
        const auto run = [&](int threads) {
            return with_threads(threads, [&] {
                const auto s = start(text, more);
                for (int n = 1; n <= 10; ++n) advance(*s, 0.02 * n);
                return positions(*s);
            });
        };
        const std::vector<Vec3d> one = run(1);
        EXPECT_EQ(one, run(3)) << integration;

        const auto first = start(text, more), second = start(text, more);
        for (int n = 1; n <= 5; ++n) advance(*first, 0.02 * n);
        ASSERT_TRUE(second->restore(first->snapshot()));
        for (int n = 6; n <= 10; ++n) advance(*second, 0.02 * n);
        EXPECT_EQ(one, positions(*second)) << integration;
    }
}

TEST(SpringErrors, AreClear) {
    const auto message = [](const std::vector<std::string>& changes) -> std::string {
        try {
            start(cloth("explicit"), changes);
        } catch (const std::exception& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(
        message({"bodies.cloth.pins={\"edge\": {\"shape\": {\"box\": {\"min\": [5, 5, 5], \"max\": [6, 6, 6]}}}}"})
            .find("holds no particle"),
        std::string::npos);
    EXPECT_NE(message({"bodies.cloth.behaviors.springs.structural=1e12", "particle_radius=0.0002",
                       "bodies.cloth.shape={\"sheet\": {\"u\": [0.002, 0, 0], \"v\": [0, 0, 0.002]}}",
                       "bodies.cloth.behaviors.springs.thickness=1e-6"})
                  .find("so stiff"),
              std::string::npos);
    EXPECT_NE(message({"bodies.cloth.shape.sheet.v=[0.1, 0, 0.2]"}).find("right angles"), std::string::npos);
}

} // namespace
} // namespace loam::test
