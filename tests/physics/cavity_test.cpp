// F5: lid-driven cavity at Re = 100, against the center lines of Ghia et al. 1982.
#include <array>

#include <gtest/gtest.h>

#include "figure.h"
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

// Ghia's tables at Re = 100, where they are compared: u along x = 0.5, v along y = 0.5.
using Table = std::array<std::array<double, 2>, 7>; // place, velocity
constexpr Table u_at{{{0.8516, 0.23151},
                      {0.7344, 0.00332},
                      {0.6172, -0.13641},
                      {0.5, -0.20581},
                      {0.4531, -0.21090},
                      {0.2813, -0.15662},
                      {0.1719, -0.10150}}};
constexpr Table v_at{{{0.9063, -0.16914},
                      {0.8594, -0.22445},
                      {0.8047, -0.24533},
                      {0.5, 0.05454},
                      {0.2344, 0.17527},
                      {0.1563, 0.16077},
                      {0.0938, 0.12317}}};

// The center lines, in so many pieces; sums of the velocities seen.
class Lines {
public:
    void add(const Simulation& s, double reach) {
        for (std::size_t k = 0; k < u_.size(); ++k) {
            u_[k] += velocity_at(s, {0.5, place(k), 0}, reach).x;
            v_[k] += velocity_at(s, {place(k), 0.5, 0}, reach).y;
        }
        ++seen_;
    }

    void draw(const std::string& name) const {
        Figure figure("F5", {.title = "F5: lid-driven cavity, Re = 100",
                             .subtitle = "mean over the last 2 s",
                             .panels = {{.title = "at x = 0.5", .x_label = "y", .y_label = "u / U"},
                                        {.title = "at y = 0.5", .x_label = "x", .y_label = "v / U"}}});
        Curve u, v;
        for (std::size_t k = 0; k < u_.size(); ++k)
            u.emplace_back(place(k), u_[k] / seen_), v.emplace_back(place(k), v_[k] / seen_);
        // The tables have more, for the most part near the walls.
        Curve ghia_u{{0, 0},
                     {0.0547, -0.03717},
                     {0.0625, -0.04192},
                     {0.0703, -0.04775},
                     {0.1016, -0.06434},
                     {0.9531, 0.68717},
                     {0.9609, 0.73722},
                     {0.9688, 0.78871},
                     {0.9766, 0.84123},
                     {1, 1}};
        Curve ghia_v{{0, 0},
                     {0.0625, 0.09233},
                     {0.0703, 0.10091},
                     {0.0781, 0.10890},
                     {0.2266, 0.17507},
                     {0.9453, -0.10313},
                     {0.9531, -0.08864},
                     {0.9609, -0.07391},
                     {0.9688, -0.05906},
                     {1, 0}};
        for (const auto& [y, velocity] : u_at) ghia_u.emplace_back(y, velocity);
        for (const auto& [x, velocity] : v_at) ghia_v.emplace_back(x, velocity);
        figure.measured("Ghia 1982", ghia_u, 0);
        figure.measured("Ghia 1982", ghia_v, 1);
        figure.ours(name, {u, v});
    }

private:
    static double place(std::size_t k) { return 0.02 * static_cast<double>(k); }

    std::array<double, 51> u_{}, v_{};
    double seen_ = 0;
};

// Largest deviation from Ghia, of velocities averaged over the last seconds.
double deviation(int n, const std::string& solver, double end) {
    const auto s = start(cavity(n, R"("kernel": "wendland", "support": 6, "shifting": 2, )" + solver, end));
    std::array<double, 7> u{}, v{};
    constexpr int samples = 20;
    Lines lines;
    for (int k = 1; k <= samples; ++k) {
        advance(*s, end - 2 + 0.1 * k);
        for (std::size_t i = 0; i < 7; ++i) {
            u[i] += velocity_at(*s, {0.5, u_at[i][0], 0}, 3.0 / n).x / samples;
            v[i] += velocity_at(*s, {v_at[i][0], 0.5, 0}, 3.0 / n).y / samples;
        }
        if (Figure::wanted()) lines.add(*s, 3.0 / n);
    }
    if (Figure::wanted()) lines.draw(fmt::format("{0} {1} x {1}", solver_of(solver), n));
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
