// Sand: G1 and G5 of docs/validation.md, and what it promises beside them: it rests, it does not stick, it does not
// pull.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "figure.h"
#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double width = 0.4; // of columns, L0

std::string column(double aspect, double spacing, const std::string& law) {
    return fmt::format(
        R"({{"dimensions": 2, "duration": 30, "fps": 25, "particle_radius": {0}, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "sand": {{"shape": {{"box": {{"min": [0, 0], "max": [{1}, {2}]}}}}, "behaviors": {{{3}}}}},
              "floor": {{"shape": {{"box": {{"min": [-0.3, -0.2], "max": [5, 0]}}}}, "boundary": {{"slip": "no"}}}},
              "wall": {{"shape": {{"box": {{"min": [-0.3, 0], "max": [0, 2]}}}}, "boundary": {{}}}}}}}})",
        spacing / 2, width, aspect * width, law);
}

struct Deposit {
    double front = 0, height = 0; // [m]
    Curve surface;                // over x
};

// Heights in slices of two spacings. The front is where sand stands two particles high: a layer of one is grains that
// roll on ahead.
Deposit deposit(const Simulation& s) {
    const Pool& pool = s.particles();
    const double spacing = s.context().scene.spacing, slice = 2 * spacing;
    std::map<int, double> height;
    for (const Vec3d& x : pool[pool.position]) height[static_cast<int>(std::floor(x.x / slice))] += spacing / 2;
    Deposit d;
    for (const auto& [k, h] : height) d.height = std::max(d.height, h), d.surface.emplace_back((k + 0.5) * slice, h);
    int k = 0;
    while (height.contains(k) && height[k] > 1.5 * spacing) ++k;
    const double last = height[k - 1], next = height.contains(k) ? height[k] : 0; // between them it falls to that
    d.front = slice * (k - 0.5 + (last - 1.5 * spacing) / (last - next));
    return d;
}

Deposit collapse(double aspect, double spacing, double angle) {
    const auto s = start(column(aspect, spacing, fmt::format(R"("sand": {{"angle": {}}})", angle)));
    advance(*s, 6 * std::sqrt(aspect * width / 9.81));
    const Deposit d = deposit(*s);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("collapse a {} angle {}: run-out {:.2f}, height {:.2f}\n", aspect, angle, d.front / width - 1,
                   d.height / width);
    return d;
}

struct Case {
    double aspect, spacing, least, most; // of (L - L0) / L0: Lube 2005 and Lajeunesse 2005
};
// About as many particles each.
constexpr Case cases[]{{0.5, 0.005, 0.6, 0.9}, {1, 0.4 / 60, 1.2, 1.8}, {2, 0.01, 2.4, 3.6}, {4, 0.4 / 30, 4.8, 5.8}};

// G1; one angle for all.
TEST(SandColumn, RunsOutAsMeasuredLong) {
    Figure figure("G1",
                  {.title = "G1: columns of sand that collapse",
                   .subtitle = "2D, angle of friction 28 degrees; L0 is the width of the column, a its height over it",
                   .panels = {{.x_label = "a", .y_label = "(L - L0) / L0"}}});
    figure.exact("Lube 2005", {{0.5, 0.6}, {1, 1.2}, {2, 2.4}, {2.8, 3.36}, {4, 1.9 * std::pow(4.0, 2.0 / 3)}});
    figure.exact("Lajeunesse 2005", {{0.5, 0.9}, {1, 1.8}, {2, 3.6}, {3, 5.4}, {4, 2.3 * std::pow(4.0, 2.0 / 3)}});
    Curve found;
    for (const Case& c : cases) {
        const double out = collapse(c.aspect, c.spacing, 28).front / width - 1;
        found.emplace_back(c.aspect, out);
        EXPECT_GT(out, c.least) << "a = " << c.aspect;
        EXPECT_LT(out, c.most) << "a = " << c.aspect;
    }
    figure.ours("sand, dfsph", {found});
}

// The same with a quarter of the particles: a front of two particles is found earlier there.
TEST(SandColumn, RunsOutAboutAsMeasured) {
    for (const Case& c : cases) {
        const double out = collapse(c.aspect, 2 * c.spacing, 28).front / width - 1;
        EXPECT_GT(out, 0.75 * c.least) << "a = " << c.aspect;
        EXPECT_LT(out, c.most) << "a = " << c.aspect;
    }
}

TEST(SandColumn, OfSixtyFiveDegreesIsOutsideOfTheBands) { // the negative control
    for (const Case& c : cases)
        EXPECT_LT(collapse(c.aspect, c.aspect < 4 ? 0.02 : 0.04, 65).front / width - 1, c.least) << "a = " << c.aspect;
}

// The trap: pressure of plain SPH resists shear by itself.
TEST(SandColumn, WithoutFrictionSpreadsAsWater) {
    const auto sand = start(column(1, 0.02, R"("sand": {"friction": 0})"), {"bodies.floor.boundary.slip=free"});
    const auto water = start(column(1, 0.02, R"("fluid": {"density": 1600})"), {"bodies.floor.boundary.slip=free"});
    advance(*sand, 0.4), advance(*water, 0.4);
    const double s = deposit(*sand).front, w = deposit(*water).front;
    EXPECT_NEAR(s, w, 0.05 * w);
}

TEST(SandColumn, ComesToRestAndStays) {
    const auto s = start(column(1, 0.02, R"("sand": {"angle": 30})"));
    const Pool& pool = s->particles();
    double most = 0;
    using Clock = std::chrono::steady_clock;
    const auto seconds = [](Clock::time_point from) {
        return std::chrono::duration<double>(Clock::now() - from).count();
    };
    std::size_t steps = 0;
    const auto count = [&] { ++steps, most = std::max(most, kinetic_energy(*s)); };
    const auto began = Clock::now();
    advance(*s, 0.6, count);
    const double flowing = seconds(began) / static_cast<double>(steps);
    advance(*s, 4, count);
    std::map<std::uint32_t, Vec3d> before;
    for (std::size_t i = 0; i < pool.size(); ++i) before[pool[pool.id][i]] = pool[pool.position][i];
    steps = 0;
    double later = 0;
    const auto rested = Clock::now();
    advance(*s, 24, [&] { ++steps, later = std::max(later, kinetic_energy(*s)); });
    const double resting = seconds(rested) / static_cast<double>(steps);
    double farthest = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        farthest = std::max(farthest, length(pool[pool.position][i] - before[pool[pool.id][i]]));
    if (std::getenv("LOAM_SHOW"))
        fmt::print("rest: energy {:.1e}, moved {:.3f} spacings, step {:.1f} times as fast\n", later / most,
                   farthest / 0.02, flowing / resting);
    EXPECT_LT(later, 1e-6 * most);
    EXPECT_LT(farthest, 0.02);
    EXPECT_GT(flowing, 3 * resting);
}

TEST(SandHeap, PouredIn3DComesToRestAndStays) {
    const auto s = start(
        R"({"duration": 30, "fps": 25, "particle_radius": 0.01, "behaviors": {"gravity": {}}, "bodies": {
              "sand": {"behaviors": {"sand": {"angle": 32}}, "emitters": {"spout": {
                "shape": {"disk": {"center": [0, 0.3, 0], "normal": [0, -1, 0], "radius": 0.04}}, "direction": [0, -1, 0], "speed": 0.5, "stop": 1}}},
              "floor": {"shape": {"box": {"min": [-0.5, -0.1, -0.5], "max": [0.5, 0, 0.5]}}, "boundary": {"slip": "no"}}}})");
    const Pool& pool = s->particles();
    double most = 0, later = 0, farthest = 0;
    advance(*s, 3.5, [&] { most = std::max(most, kinetic_energy(*s)); });
    std::map<std::uint32_t, Vec3d> before;
    for (std::size_t i = 0; i < pool.size(); ++i) before[pool[pool.id][i]] = pool[pool.position][i];
    advance(*s, 23.5, [&] { later = std::max(later, kinetic_energy(*s)); });
    for (std::size_t i = 0; i < pool.size(); ++i)
        farthest = std::max(farthest, length(pool[pool.position][i] - before[pool[pool.id][i]]));
    if (std::getenv("LOAM_SHOW"))
        fmt::print("poured in 3D: {} particles, energy {:.1e}, moved {:.3f} spacings\n", pool.size(), later / most,
                   farthest / 0.02);
    EXPECT_LT(later, 1e-6 * most);
    EXPECT_LT(farthest, 0.02);
}

// h' below h: what rests falls into more clusters (Lenaerts 2009, 5.2).
TEST(SandHeap, HasMoreClustersOfSmallerRange) {
    const auto clusters = [](double range) {
        const auto s = start(column(1, 0.04, fmt::format(R"("sand": {{"angle": 30, "clusters": {}}})", range)));
        advance(*s, 3);
        const Pool& pool = s->particles();
        const auto cluster = pool[Column<std::uint32_t>{pool.find("cluster")}];
        std::set<std::uint32_t> all(cluster.begin(), cluster.end());
        all.erase(0);
        if (std::getenv("LOAM_SHOW")) fmt::print("range {}: {} clusters\n", range, all.size());
        return all.size();
    };
    const std::size_t whole = clusters(1), half = clusters(0.5);
    EXPECT_GE(whole, 1u);
    EXPECT_GT(half, whole);
}

// Of the middle 60 % of both flanks [degrees], or with cohesion how high it is. `aside`: where the spout stands.
double slope_of_heap(double angle, double cohesion, double aside = 0) {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 7, "fps": 25, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "sand": {{"behaviors": {{"sand": {{"angle": {}, "cohesion": {}}}}}, "emitters": {{"spout": {{
                "shape": {{"box": {{"min": [{}, 0.98], "max": [{}, 1]}}}}, "direction": [0, -1], "speed": 0.6, "stop": 5}}}}}},
              "floor": {{"shape": {{"box": {{"min": [-2, -0.2], "max": [2, 0]}}}}, "boundary": {{"slip": "no"}}}}}}}})",
        angle, cohesion, aside - 0.06, aside + 0.06));
    advance(*s, 6);
    const Curve surface = deposit(*s).surface;
    double top = 0;
    for (const auto& [x, h] : surface) top = std::max(top, h);
    double sum = 0, sum_x = 0, sum_h = 0, sum_xx = 0, sum_xh = 0;
    for (const auto& [x, h] : surface)
        if (h > 0.2 * top && h < 0.8 * top) {
            const double out = std::abs(x - aside);
            ++sum, sum_x += out, sum_h += h, sum_xx += out * out, sum_xh += out * h;
        }
    const double fall = -(sum * sum_xh - sum_x * sum_h) / (sum * sum_xx - sum_x * sum_x);
    const double found = std::atan(fall) * 180 / M_PI;
    if (std::getenv("LOAM_SHOW"))
        fmt::print("heap of {} degrees, {} Pa: {:.1f}, {:.3f} m high\n", angle, cohesion, found, top);
    return cohesion > 0 ? top : found;
}

TEST(SandHeap, StandsAtItsAngle) { // G5
    // Avalanches make one heap 3 degrees steeper than the next, by rounding alone: the mean of some.
    for (const double angle : {25, 30}) {
        double sum = 0;
        for (const double aside : {0.0, 0.003, 0.009}) sum += slope_of_heap(angle, 0, aside);
        EXPECT_NEAR(sum / 3, angle, 3);
    }
}

// A layer on a rough slope, without ends: it speeds up by what gravity pulls beyond its friction, and by that alone.
double friction_on_a_slope(int dimensions, double angle, double slope) {
    const double spacing = 0.02, length = dimensions == 2 ? 1 : 0.4, gravity = 9.81;
    const auto s = start(fmt::format(
        R"({{"dimensions": {0}, "duration": 3, "fps": 25, "particle_radius": {1},
            "behaviors": {{"gravity": {{"acceleration": [{2}, {3}, 0]}}}}, "domain": {{"min": [0, -1, -0.2], "max": [{4}, 1, 0.2], "periodic": "{5}"}},
            "bodies": {{
              "sand": {{"shape": {{"box": {{"min": [0, 0, -0.2], "max": [{4}, 0.2, 0.2]}}}}, "behaviors": {{"sand": {{"friction": {6}}}}}}},
              "floor": {{"shape": {{"box": {{"min": [-1, -0.2, -1], "max": [2, 0, 1]}}}}, "boundary": {{"slip": "no"}}}}}}}})",
        dimensions, spacing / 2, gravity * std::sin(slope * M_PI / 180), -gravity * std::cos(slope * M_PI / 180),
        length, dimensions == 2 ? "x" : "xz", std::tan(angle * M_PI / 180)));
    const auto speed = [&] {
        return momentum(*s).x / total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
    };
    advance(*s, 0.4);
    const double before = speed();
    advance(*s, 0.7);
    const double acceleration = (speed() - before) / 0.3;
    const double found =
        (gravity * std::sin(slope * M_PI / 180) - acceleration) / (gravity * std::cos(slope * M_PI / 180));
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{}D layer of {} degrees on {}: {:.1f} degrees, speed {:.2f}\n", dimensions, angle, slope,
                   std::atan(found) * 180 / M_PI, speed());
    return found;
}

TEST(Sand, SlidesByItsFriction) {
    for (const int dimensions : {2, 3}) EXPECT_NEAR(friction_on_a_slope(dimensions, 30, 45), std::tan(M_PI / 6), 0.03);
}

// Pressure alone resists shear, too: the false angle, which is that of sand without friction.
TEST(Sand, HasHardlyAnyFalseAngle) {
    for (const int dimensions : {2, 3})
        EXPECT_LT(std::abs(friction_on_a_slope(dimensions, 0, 20)), std::tan(M_PI / 180));
}

// A block that holds together spins as one: strain of a turn is none, at its corners too.
TEST(Sand, SpinsAsOne) {
    const auto s = start(
        R"({"dimensions": 2, "duration": 2, "fps": 25, "particle_radius": 0.01, "bodies": {"sand": {
              "shape": {"box": {"min": [-0.1, -0.1], "max": [0.1, 0.1]}}, "behaviors": {"sand": {"cohesion": 1e6}}}}})");
    set_velocities(*s, [](const Vec3d& x) { return Vec3d{-3 * x.y, 3 * x.x, 0}; });
    const Pool& pool = s->particles();
    const auto spin = [&] {
        return total(*s, [&](std::size_t i) {
            return pool[pool.mass][i] * cross(pool[pool.position][i], pool[pool.velocity][i].xyz_double()).z;
        });
    };
    const double before = spin(), energy = kinetic_energy(*s);
    advance(*s, 1);
    EXPECT_NEAR(spin() / before, 1, 0.01);
    EXPECT_NEAR(kinetic_energy(*s) / energy, 1, 0.05);
}

TEST(Sand, DoesNotStickToAFloorThatFallsFaster) {
    const auto s = start(
        R"({"dimensions": 2, "duration": 2, "fps": 25, "particle_radius": 0.01, "behaviors": {"gravity": {}}, "bodies": {
              "sand": {"shape": {"box": {"min": [0, 0], "max": [0.4, 0.1]}}, "behaviors": {"sand": {"cohesion": 300}}},
              "floor": {"shape": {"box": {"min": [-1, -0.2], "max": [1.4, 0]}}, "boundary": {"slip": "no",
                "motion": {"translation": {"keys": [[0, [0, 0]], [0.6, [0, 0]], [1, [0, -3]]]}}}}}})");
    advance(*s, 0.6);
    const double before = momentum(*s).y;
    advance(*s, 0.8);
    const Pool& pool = s->particles();
    const double mass = total(*s, [&](std::size_t i) { return pool[pool.mass][i]; });
    EXPECT_NEAR((momentum(*s).y - before) / mass, -9.81 * 0.2, 0.1); // what rests wakes layer by layer
}

// G7: what the bottom of a silo in 2D bears of the weight, 0.2 m wide, while it sinks by 1 cm so that the walls rub.
// Janssen 1895 in 2D: W / (2 mu K h) (1 - exp(-2 mu K h / W)). K, of the stress across, is at least Rankine's 1/3.
double part_on_the_bottom(double height, double friction) {
    constexpr double silo = 0.2, size = 0.01;
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 9, "fps": 25, "particle_radius": {0}, "behaviors": {{"gravity": {{}}}}, "bodies": {{
             "sand": {{"shape": {{"box": {{"min": [{1}, 0], "max": [{2}, {3}]}}}}, "behaviors": {{"sand": {{"angle": 30}}}}}},
             "walls": {{"shape": {{"union": [{{"box": {{"min": [-0.2, -0.2], "max": [{1}, 2]}}}}, {{"box": {{"min": [{2}, -0.2], "max": [0.2, 2]}}}}]}},
                       "boundary": {{"slip": "friction", "friction": {4}}}}},
             "bottom": {{"shape": {{"box": {{"min": [{1}, -0.08], "max": [{2}, 0]}}}}, "boundary": {{"slip": "free", "motion": {{"translation": {{
                        "keys": [[0, [0, 0]], [0.3, [0, 0]], [1.3, [0, -0.01]]]}}}}}}}}}}}})",
        size / 2, -silo / 2, silo / 2, height, friction));
    s->watch({.forces = true});
    advance(*s, 0.8);
    const double weight = 9.81 * total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
    double sum = 0, last = s->time();
    advance(*s, 1.3, [&] { sum -= (s->time() - last) * s->forces()[2].y, last = s->time(); });
    return sum / 0.5 / weight;
}

TEST(SandSilo, WallsBearWhatJanssenSays) {
    EXPECT_NEAR(part_on_the_bottom(0.4, 0), 1, 0.01);
    for (const double height : {0.4, 0.8}) {
        const double part = part_on_the_bottom(height, 0.4);
        const auto janssen = [&](double k) {
            const double x = 2 * 0.4 * k * height / 0.2;
            return (1 - std::exp(-x)) / x;
        };
        if (std::getenv("LOAM_SHOW"))
            fmt::print("silo {} m high: {:.3f} of the weight on the bottom; Janssen {:.3f} with K 1/3, {:.3f} with 1\n",
                       height, part, janssen(1.0 / 3), janssen(1));
        EXPECT_LT(part, janssen(1.0 / 3) + 0.05) << height;
        EXPECT_GT(part, janssen(1) - 0.05) << height;
    }
}

TEST(Sand, SaysWhatIsWrong) {
    const auto message = [](const std::string& law, const std::vector<std::string>& overrides = {}) -> std::string {
        try {
            start(column(1, 0.05, law), overrides);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(message(R"("sand": {"friction": -1})").find("sand.friction"), std::string::npos);
    EXPECT_NE(message(R"("sand": {"angle": 95})").find("from 0 to 89 degrees"), std::string::npos);
    EXPECT_NE(message(R"("sand": {"weight": 1.5})").find("from 0 to 1"), std::string::npos);
    EXPECT_NE(message(R"("sand": {"angle": 30, "friction": 0.2})").find("leave one of the two out"), std::string::npos);
    EXPECT_NE(message(R"("sand": {}, "fluid": {})").find("cannot be both at full weight"), std::string::npos);
    EXPECT_NE(message(R"("sand": {})", {"solver.pressure=pbf"}).find("use one of: dfsph, iisph, wcsph"),
              std::string::npos);
    EXPECT_EQ(message(R"("sand": {"weight": 0.5}, "fluid": {"weight": 0.5})"), "");
}

} // namespace
} // namespace loam::test
