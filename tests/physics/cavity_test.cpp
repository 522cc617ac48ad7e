// F5: lid-driven cavity at Re = 100, against the center lines of Ghia et al. 1982.
#include <array>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// The lid is a long plate that slides over the cavity until the end.
std::string cavity(int n, const std::string& solver, double end) {
    return fmt::format(
        R"({{"dimensions": 2, "duration": 20, "fps": 10, "particle_radius": {0},
            "solver": {{{1}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0], "max": [1, 1]}}}}, "jitter": 0.1,
                        "behaviors": {{"fluid": {{"density": 1}},
                                      "viscosity": {{"model": "morris", "viscosity": 0.01}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [1, 1.5]}}, "invert": true}},
                       "boundary": {{"slip": "no", "layers": 3}}}},
              "lid": {{"shape": {{"box": {{"min": [{2}, 1], "max": [1.5, 1.3]}}}},
                      "boundary": {{"slip": "no", "layers": 3, "motion": {{"velocity": [1, 0, 0]}}}}}}}}}})",
        0.5 / n, solver, -end - 0.5);
}

// Largest deviation from Ghia, of velocities averaged over the last seconds.
double deviation(int n, const std::string& solver, double end) {
    constexpr std::array<std::array<double, 2>, 7> u_at{{{0.8516, 0.23151},
                                                         {0.7344, 0.00332},
                                                         {0.6172, -0.13641},
                                                         {0.5, -0.20581},
                                                         {0.4531, -0.21090},
                                                         {0.2813, -0.15662},
                                                         {0.1719, -0.10150}}};
    constexpr std::array<std::array<double, 2>, 7> v_at{{{0.9063, -0.16914},
                                                         {0.8594, -0.22445},
                                                         {0.8047, -0.24533},
                                                         {0.5, 0.05454},
                                                         {0.2344, 0.17527},
                                                         {0.1563, 0.16077},
                                                         {0.0938, 0.12317}}};
    const auto s = start(cavity(n, R"("kernel": "wendland", "support": 6, "shifting": 2, )" + solver, end));
    std::array<double, 7> u{}, v{};
    constexpr int samples = 20;
    for (int k = 1; k <= samples; ++k) {
        advance(*s, end - 2 + 0.1 * k);
        for (std::size_t i = 0; i < 7; ++i) {
            u[i] += velocity_at(*s, {0.5, u_at[i][0], 0}, 3.0 / n).x / samples;
            v[i] += velocity_at(*s, {v_at[i][0], 0.5, 0}, 3.0 / n).y / samples;
        }
    }
    double largest = 0;
    for (std::size_t i = 0; i < 7; ++i) {
        if (std::getenv("LOAM_SHOW"))
            fmt::print("u {:.4f} of {:.4f}   v {:.4f} of {:.4f}\n", u[i], u_at[i][1], v[i], v_at[i][1]);
        largest = std::max({largest, std::abs(u[i] - u_at[i][1]), std::abs(v[i] - v_at[i][1])});
    }
    return largest;
}

TEST(Cavity, FollowsGhiaWcsph) { EXPECT_LT(deviation(25, R"("pressure": "wcsph")", 10), 0.03); }
TEST(Cavity, FollowsGhiaDfsph) { EXPECT_LT(deviation(32, R"("pressure": "dfsph")", 10), 0.03); }
TEST(CavityLong, FollowsGhiaWcsph) { EXPECT_LT(deviation(50, R"("pressure": "wcsph")", 20), 0.02); }
TEST(CavityLong, FollowsGhiaDfsph) { EXPECT_LT(deviation(50, R"("pressure": "dfsph")", 20), 0.02); }

// Crowded particles in the corner beneath the sliding lid must not be pushed into the wall, nor drawn.
TEST(Cavity, LastsWithCarriedDensity) {
    const double end = 2.5;
    const auto s =
        start(cavity(25, R"("pressure": "wcsph", "wcsph": {"density": "carried", "negative_pressure": true})", end));
    double fastest = 0;
    for (int k = 1; k <= 50; ++k) {
        advance(*s, end * k / 50);
        for (const Float4& v : s->particles()[s->particles().velocity])
            fastest = std::max(fastest, length(v.xyz_double()));
    }
    if (std::getenv("LOAM_SHOW")) fmt::print("fastest {:.3f}\n", fastest);
    EXPECT_LT(fastest, 1.5); // as the lid: 1
}

} // namespace
} // namespace loam::test
