// Grains: single ones slide, roll and bounce as Newton, Coulomb and Hertz's followers say, two that meet keep momentum
// and angular momentum, heaps come to rest at the slopes that balls have, and silos and hoppers are those of Janssen
// and Beverloo.
#include <algorithm>
#include <array>
#include <ctime>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double g = 9.81;
constexpr double degrees = std::numbers::pi / 180;

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

// Balls of radius 1 cm over ground that falls along x.
std::string scene(const std::string& bodies, double slope = 0, const std::string& more = "") {
    return fmt::format(
        R"({{"duration": 100, "fps": 50, "particle_radius": 0.01, {} "behaviors": {{"gravity": {{}}}},
            "bodies": {{"ground": {{"shape": {{"plane": {{"point": [0, 0, 0], "normal": [{}, {}, 0], "size": 4}}}}, "boundary": {{}}}}, {}}}}})",
        more, std::sin(slope * degrees), std::cos(slope * degrees), bodies);
}

// One grain around a place.
std::string grain(const std::string& name, const Vec3d& at, const Vec3d& velocity, const std::string& values) {
    return fmt::format(
        R"("{}": {{"shape": {{"box": {{"min": [{}, {}, {}], "max": [{}, {}, {}]}}}}, "velocity": [{}, {}, {}],
                                 "behaviors": {{"grains": {{"spread": 1, {}}}}}}})",
        name, at.x - 0.01, at.y - 0.01, at.z - 0.01, at.x + 0.01, at.y + 0.01, at.z + 0.01, velocity.x, velocity.y,
        velocity.z, values);
}

template <class T> T value(const Simulation& s, const char* column, std::size_t i) {
    return s.particles()[Column<T>{s.particles().find(column)}][i];
}
Vec3d spin(const Simulation& s, std::size_t i = 0) { return value<Float4>(s, "spin", i).xyz_double(); }
Vec3d velocity(const Simulation& s, std::size_t i = 0) { return s.particles()[s.particles().velocity][i].xyz_double(); }
Vec3d place(const Simulation& s, std::size_t i = 0) { return s.particles()[s.particles().position][i]; }

const char* const contacts[] = {"impulse", "spring"};

TEST(Grains, SlideUntilTheyRoll) {
    for (const char* contact : contacts) {
        auto s = start(scene(grain("ball", {0, 0.01, 0}, {1, 0, 0},
                                   fmt::format(R"("friction": 0.3, "rolling": 0, "contact": "{}")", contact)),
                             0, R"("solver": {"max_time_step": 0.002},)"));
        advance(*s, 0.05);
        EXPECT_NEAR(velocity(*s).x, 1 - 0.3 * g * 0.05, 0.01) << contact; // still sliding
        advance(*s, 0.4);
        EXPECT_NEAR(velocity(*s).x, 5.0 / 7, 0.005) << contact;
        EXPECT_NEAR(-spin(*s).z * 0.01, velocity(*s).x, 0.003) << contact;
    }
}

TEST(Grains, BounceWithTheSquareOfRestitution) {
    for (const char* contact : contacts)
        for (const double e : {0.3, 0.8}) {
            auto s = start(scene(
                grain("ball", {0, 0.51, 0}, {}, fmt::format(R"("restitution": {}, "contact": "{}")", e, contact))));
            double lowest = 1, highest = 0;
            advance(*s, 0.9, [&] {
                if (velocity(*s).y > 0) highest = std::max(highest, place(*s).y - 0.01);
                lowest = std::min(lowest, place(*s).y - 0.01);
            });
            if (show())
                fmt::print("{} e {}: back to {:.4f} of {:.4f}, lowest {:.5f}\n", contact, e, highest, 0.5 * e * e,
                           lowest);
            EXPECT_NEAR(highest, 0.5 * e * e, (std::string(contact) == "spring" ? 0.1 : 0.03) * 0.5 * e * e + 0.001)
                << contact << e;
            EXPECT_GT(lowest, -0.003) << contact; // springs give way
        }
}

TEST(Grains, OnASlope) {
    const auto along = [](double friction, double rolling) { // speed after 0.5 s on 20 degrees
        const double a = 20 * degrees;
        auto s = start(scene(grain("ball", {0.01 * std::sin(a), 0.01 * std::cos(a), 0}, {},
                                   fmt::format(R"("friction": {}, "rolling": {})", friction, rolling)),
                             20));
        advance(*s, 0.5);
        return velocity(*s).x * std::cos(a) - velocity(*s).y * std::sin(a);
    };
    const double a = 20 * degrees;
    EXPECT_NEAR(along(0.5, 0), 5.0 / 7 * g * std::sin(a) * 0.5, 0.02);                         // rolls
    EXPECT_NEAR(along(0.05, 0), g * (std::sin(a) - 0.05 * std::cos(a)) * 0.5, 0.02);           // slips
    EXPECT_NEAR(along(0.5, 0.1), 5.0 / 7 * g * (std::sin(a) - 0.1 * std::cos(a)) * 0.5, 0.02); // rolls with resistance
    EXPECT_LT(along(0.5, 0.4), 1e-6);                                                          // stands: tan 20 < 0.4
}

TEST(Grains, TwoThatMeetKeepMomentumAndAngularMomentum) {
    for (const char* contact : contacts) {
        const std::string values = fmt::format(R"("friction": 0.4, "restitution": 0.7, "contact": "{}")", contact);
        auto s = start(scene(grain("a", {-0.03, 1, 0.004}, {1, 0.1, 0}, values) + "," +
                                 grain("b", {0.03, 1.009, 0}, {-1, 0, 0.2}, values + R"(, "density": 1000)"),
                             0, R"("solver": {"max_time_step": 0.002},)"),
                       {"behaviors.gravity=null"});
        const auto sums = [&] {
            std::pair<Vec3d, Vec3d> all;
            const Pool& pool = s->particles();
            for (std::size_t i = 0; i < 2; ++i) {
                const double m = pool[pool.mass][i], r = value<float>(*s, "radius", i);
                all.first += m * velocity(*s, i);
                all.second += m * cross(place(*s, i) - Vec3d{0, 1, 0}, velocity(*s, i)) + 0.4 * m * r * r * spin(*s, i);
            }
            return all;
        };
        const auto before = sums();
        const double scale = length(before.first) + 1e-3;
        advance(*s, 0.1);
        const auto after = sums();
        EXPECT_GT(velocity(*s, 0).x * velocity(*s, 1).x, -1e9);
        EXPECT_GT(length(spin(*s, 0)), 1) << contact; // they did meet, and rubbed
        EXPECT_LT(length(after.first - before.first), 1e-5 * scale) << contact;
        EXPECT_LT(length(after.second - before.second), 1e-4 * length(before.second)) << contact;
    }
}

TEST(Grains, CohesionHoldsWhatHangs) {
    const auto falls = [](double cohesion) { // below another one, which is pinned
        const std::string values = fmt::format(R"("cohesion": {}, "restitution": 0)", cohesion);
        std::string upper = grain("upper", {0, 1.02, 0}, {}, values);
        upper.back() = ',';
        upper += R"("pins": {"hold": {"shape": {"sphere": {"center": [0, 1.02, 0], "radius": 0.005}}}}})";
        auto s = start(scene(upper + "," + grain("lower", {0, 1, 0}, {}, values)));
        advance(*s, 0.5);
        return 1 - std::min(place(*s, 0).y, place(*s, 1).y);
    };
    // Weight 0.107 N; a disk of half the radius has 7.85e-5 m^2: 1360 Pa hold it.
    EXPECT_GT(falls(1000), 0.3);
    EXPECT_LT(falls(2000), 0.001);
}

// A heap of some hundred grains that falls apart.
std::string heap(const std::string& values, const std::string& more = "") {
    return scene(fmt::format(R"("heap": {{"shape": {{"box": {{"min": [-0.08, 0, -0.08], "max": [0.08, 0.2, 0.08]}}}},
                                         "jitter": 0.05, "behaviors": {{"grains": {{{}}}}}}})",
                             values),
                 0, more);
}

double energy(const Simulation& s) {
    const Pool& pool = s.particles();
    return total(s, [&](std::size_t i) {
        const double r = value<float>(s, "radius", i), m = pool[pool.mass][i];
        return 0.5 * m * (dot(velocity(s, i), velocity(s, i)) + 0.4 * r * r * dot(spin(s, i), spin(s, i)));
    });
}

TEST(Grains, AHeapComesToRestAndStays) {
    auto s = start(heap(R"("friction": 0.5, "rolling": 0.1)"));
    double most = 0;
    advance(*s, 1, [&] { most = std::max(most, energy(*s)); });
    advance(*s, 4);
    EXPECT_LT(energy(*s), 1e-6 * most);
    std::vector<Vec3d> before;
    const auto by_id = [&] {
        std::vector<Vec3d> all(s->particles().size());
        for (std::size_t i = 0; i < all.size(); ++i) all[s->particles()[s->particles().id][i]] = place(*s, i);
        return all;
    };
    before = by_id();
    advance(*s, 8);
    const std::vector<Vec3d> after = by_id();
    double farthest = 0, top = 0;
    for (std::size_t k = 0; k < after.size(); ++k)
        farthest = std::max(farthest, length(after[k] - before[k])), top = std::max(top, after[k].y);
    if (show())
        fmt::print("at rest: energy {:.3g} of {:.3g}, moved {:.3g} m, top {:.3f}\n", energy(*s), most, farthest, top);
    EXPECT_LT(energy(*s), 1e-6 * most);
    EXPECT_LT(farthest, 0.02);
    EXPECT_GT(top, 0.04); // still a heap
}

TEST(Grains, RestInCornersWithoutASinkingFloor) {
    auto s = start(R"({"duration": 9, "fps": 50, "particle_radius": 0.01, "behaviors": {"gravity": {}}, "bodies": {
        "box": {"shape": {"box": {"min": [-0.051, 0, -0.051], "max": [0.051, 0.5, 0.051]}, "invert": true}, "boundary": {}},
        "heap": {"shape": {"box": {"min": [-0.05, 0, -0.05], "max": [0.05, 0.24, 0.05]}}, "jitter": 0.1, "behaviors": {"grains": {}}}}})");
    advance(*s, 2.5);
    double deepest = 0;
    for (std::size_t i = 0; i < s->particles().size(); ++i) {
        const Vec3d p = place(*s, i);
        const double r = value<float>(*s, "radius", i);
        for (const double gap : {p.x + 0.051, 0.051 - p.x, p.z + 0.051, 0.051 - p.z, p.y})
            deepest = std::max(deepest, r - gap);
    }
    if (show()) fmt::print("deepest in the walls {:.5f} m, energy {:.3g} J\n", deepest, energy(*s));
    EXPECT_LT(deepest, 0.001);
    EXPECT_LT(energy(*s), 1e-6);
}

TEST(Grains, SinkAndFloat) {
    const auto height = [](double density) {
        auto s = start(fmt::format(
            R"({{"dimensions": 2, "duration": 9, "fps": 50, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}}, "bodies": {{
            "tank": {{"shape": {{"box": {{"min": [-0.1, 0, -1], "max": [0.1, 1, 1]}}, "invert": true}}, "boundary": {{}}}},
            "water": {{"shape": {{"difference": [{{"box": {{"min": [-0.1, 0, -1], "max": [0.1, 0.2, 1]}}}},
                                                 {{"box": {{"min": [-0.02, 0.1, -1], "max": [0.02, 0.14, 1]}}}}]}}, "behaviors": {{"fluid": {{}}}}}},
            "grains": {{"shape": {{"box": {{"min": [-0.02, 0.1, -1], "max": [0.02, 0.14, 1]}}}}, "behaviors": {{"grains": {{"density": {}}}}}}}}}}})",
            density));
        advance(*s, 1.2);
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < s->particles().size(); ++i)
            if (value<float>(*s, "radius", i) > 0) sum += place(*s, i).y, ++count;
        return sum / static_cast<double>(count);
    };
    const double light = height(300), heavy = height(2600);
    if (show()) fmt::print("light grains at {:.3f} m, heavy at {:.3f} m\n", light, heavy);
    EXPECT_GT(light, 0.17);
    EXPECT_LT(heavy, 0.05);
}

TEST(Grains, PushRigidBodiesAndRestOnThem) {
    auto s = start(R"({"duration": 9, "fps": 50, "particle_radius": 0.01, "bodies": {
        "box": {"shape": {"box": {"min": [0, 0, 0], "max": [0.1, 0.1, 0.1]}}, "behaviors": {"rigid": {"density": 500}}},
        "shot": {"shape": {"box": {"min": [-0.06, 0.04, 0.04], "max": [-0.02, 0.06, 0.06]}}, "velocity": [2, 0, 0],
                 "behaviors": {"grains": {"spread": 1, "restitution": 0.5}}}}})");
    const Vec3d before = momentum(*s);
    advance(*s, 0.2);
    EXPECT_LT(length(momentum(*s) - before), 1e-4 * length(before));
    EXPECT_GT(s->pose(0)->velocity.x, 0.1 * length(before) / 0.5);

    s = start(scene(
        R"("box": {"shape": {"box": {"min": [-0.06, 0, -0.06], "max": [0.06, 0.08, 0.06]}}, "behaviors": {"rigid": {"density": 500}}},
                       "load": {"shape": {"box": {"min": [-0.04, 0.1, -0.04], "max": [0.04, 0.12, 0.04]}}, "behaviors": {"grains": {"rolling": 0.2}}})"));
    advance(*s, 1);
    for (std::size_t i = 0; i < s->particles().size(); ++i)
        if (const double r = value<float>(*s, "radius", i); r > 0) {
            EXPECT_NEAR(place(*s, i).y, 0.08 + r, 0.001);
        }
    EXPECT_NEAR(s->pose(1)->center.y, 0.04, 0.001);
}

TEST(Grains, RestOnElasticBodies) {
    auto s = start(scene(
        R"("jelly": {"shape": {"box": {"min": [-0.06, 0, -0.06], "max": [0.06, 0.06, 0.06]}}, "behaviors": {"elastic": {"young_modulus": 1e5, "damping": 0.01}}},
                            "load": {"shape": {"box": {"min": [-0.03, 0.08, -0.03], "max": [0.03, 0.1, 0.03]}}, "behaviors": {"grains": {"rolling": 0.3, "spread": 1}}})"));
    advance(*s, 0.6);
    for (std::size_t i = 0; i < s->particles().size(); ++i)
        if (value<float>(*s, "radius", i) > 0) {
            EXPECT_GT(place(*s, i).y, 0.048); // between the particles of its uppermost layer
            EXPECT_LT(length(velocity(*s, i)), 0.1);
        }
}

TEST(Grains, BadInputIsRefused) {
    const auto message = [](const std::string& bodies) -> std::string {
        try {
            start(scene(bodies));
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    const std::vector<std::pair<std::string, std::string>> cases{
        {grain("a", {0, 1, 0}, {}, R"("friction": -1)"), "friction"},
        {grain("a", {0, 1, 0}, {}, R"("weight": 2)"), "from 0 to 1"},
        {R"("a": {"shape": {"sheet": {"corner": [0, 1, 0], "u": [0.1, 0, 0], "v": [0, 0, 0.1]}}, "behaviors": {"grains": {}}})",
         "a sheet cannot be of grains"},
        {R"("a": {"shape": {"sphere": {"center": [0, 1, 0], "radius": 0.1}}, "behaviors": {"grains": {}, "fluid": {}}})",
         "flow and be grains"},
        {R"("a": {"shape": {"sphere": {"center": [0, 1, 0], "radius": 0.1}}, "behaviors": {"grains": {}, "elastic": {}}})",
         "one solid and grains"},
        {grain("a", {0, 1, 0}, {}, R"("contact": "spring")") + "," +
             grain("b", {1, 1, 0}, {}, R"("contact": "impulse")"),
         "the same \"contact\""}};
    for (const auto& [bodies, said] : cases)
        EXPECT_NE(message(bodies).find(said), std::string::npos) << message(bodies) << "\n" << said;
}

// How long a step takes for a particle, beside one of as much water; in turns, so that both see the same machine.
double beside_water(const char* law, const char* solver, double radius) {
    const auto block = [&](const std::string& body, const char* with) {
        return start(fmt::format(
            R"({{"duration": 2, "fps": 25, "particle_radius": {}, "behaviors": {{"gravity": {{}}}}, "solver": {{"pressure": "{}"}}, "bodies": {{
                 "heap": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [1, 1, 1]}}}}, "jitter": 0.1, "behaviors": {{{}}}}},
                 "tank": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [3, 2, 1]}}, "invert": true}}, "boundary": {{}}}}}}}})",
            radius, with, body));
    };
    const auto own = block(fmt::format(R"("{}": {{}})", law), "dfsph"), water = block(R"("fluid": {})", solver);
    advance(*own, 0.2), advance(*water, 0.02);
    const auto seconds = [](Simulation& s, int steps) {
        const std::clock_t begin = std::clock(); // of this process: others on the machine do not count
        for (int k = 0; k < steps; ++k) static_cast<void>(s.step(100));
        return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / steps /
               static_cast<double>(s.particles().size());
    };
    std::vector<double> times, costs;
    own->profile().clear();
    for (int turn = 0; turn < 7; ++turn) {
        const double mine = seconds(*own, 5);
        costs.push_back(1e9 * mine), times.push_back(mine / seconds(*water, 10));
    }
    std::sort(times.begin(), times.end()), std::sort(costs.begin(), costs.end());
    if (show()) {
        fmt::print("{}: {:.0f} ns, {:.2f} of a step of {} water; {} particles\n", law, costs[3], times[3], solver,
                   own->particles().size());
        for (const Profile::Line& line : own->profile().lines())
            if (line.calls > 0)
                fmt::print("    {:30} {:8.1f} ns\n", line.name,
                           1e9 * line.seconds / double(line.calls) / double(own->particles().size()));
    }
    return times[3];
}

// Wanted are 1 and 2; these bounds notice what makes it slower.
TEST(Grains, StepsBesideWaterLong) { EXPECT_LT(beside_water("grains", "wcsph", 0.011), 8); }
TEST(Grains, StepsOfSandBesideWaterLong) { EXPECT_LT(beside_water("sand", "dfsph", 0.0175), 3.5); }

constexpr double bed = 0.3; // radius of the round bed that heaps are poured on [m]

// The slope of a heap from its height over the distance from the axis, fitted over the middle 60 % of the bed.
double slope_of(const Simulation& s, double spacing) {
    std::vector<double> top(static_cast<std::size_t>(bed / spacing), 0);
    for (std::size_t i = 0; i < s.particles().size(); ++i) {
        const Vec3d p = place(s, i);
        const auto ring = static_cast<std::size_t>(std::hypot(p.x, p.z) / spacing);
        if (ring < top.size()) top[ring] = std::max(top[ring], p.y);
    }
    const std::size_t from = top.size() / 5, to = top.size() - from;
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (std::size_t k = from; k < to; ++k) {
        const double x = (static_cast<double>(k) + 0.5) * spacing;
        n += 1, sx += x, sy += top[k], sxx += x * x, sxy += x * top[k];
    }
    return std::atan(-(n * sxy - sx * sy) / (n * sxx - sx * sx)) / degrees;
}

// G5: poured from a small height onto a round bed of grains that are held; what is too much falls over its edge. On a
// smooth floor balls without rolling friction do not pile up at all: they roll away.
double repose(double friction, double rolling) {
    auto s = start(fmt::format(
        R"({{"duration": 20, "fps": 25, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}}, "bodies": {{
        "bed": {{"shape": {{"cylinder": {{"from": [0, -0.02, 0], "to": [0, 0, 0], "radius": {2}}}}}, "behaviors": {{"grains": {{"friction": {0}}}}},
                "pins": {{"held": {{"shape": {{"box": {{"min": [-1, -1, -1], "max": [1, 1, 1]}}}}}}}}}},
        "sand": {{"behaviors": {{"grains": {{"friction": {0}, "rolling": {1}, "restitution": 0.1}}}}, "emitters": {{"spout": {{
            "shape": {{"disk": {{"center": [0, 0.3, 0], "normal": [0, -1, 0], "radius": 0.06}}}}, "direction": [0, -1, 0], "speed": 0.5, "stop": 5}}}}}}}},
        "drains": {{"below": {{"shape": {{"box": {{"min": [-2, -1, -2], "max": [2, -0.1, 2]}}}}}}}}}})",
        friction, rolling, bed));
    advance(*s, 8);
    const double slope = slope_of(*s, 0.02);
    if (show())
        fmt::print("friction {} rolling {}: {:.1f} degrees, {} grains, energy {:.3g}\n", friction, rolling, slope,
                   s->particles().size(), energy(*s));
    return slope;
}

TEST(Grains, ReposeLong) {
    const double rough = repose(0.5, 0), rougher = repose(0.9, 0), rolling = repose(0.5, 0.2);
    EXPECT_NEAR(rough, 22, 4);
    EXPECT_NEAR(rougher, 22, 4);
    EXPECT_GT(rolling, rough + 4);
}

// G7: a silo in 2D, 0.3 m wide, whose flat bottom opens over `gap`. How much runs out, as area per time, while 20 to 50
// % and while 50 to 70 % of it do.
struct Discharge {
    double early, late;
};
Discharge discharge(const std::string& law, double gap, double spacing) {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 60, "fps": 25, "particle_radius": {0}, "behaviors": {{"gravity": {{}}}}, "bodies": {{
             "stuff": {{"shape": {{"box": {{"min": [-0.15, 0], "max": [0.15, 0.5]}}}}, "jitter": 0.1, "behaviors": {{{1}}}}},
             "walls": {{"shape": {{"union": [{{"box": {{"min": [-0.2, -0.04], "max": [-0.15, 1]}}}}, {{"box": {{"min": [0.15, -0.04], "max": [0.2, 1]}}}},
                        {{"box": {{"min": [-0.16, -0.04], "max": [{2}, 0]}}}}, {{"box": {{"min": [{3}, -0.04], "max": [0.16, 0]}}}}]}},
                       "boundary": {{"slip": "friction", "friction": 0.4}}}},
             "plug": {{"shape": {{"box": {{"min": [{2}, -0.04], "max": [{3}, 0]}}}},
                       "boundary": {{"slip": "friction", "friction": 0.4, "motion": {{"translation": {{"keys": [[0, [0, 0]], [0.6, [0, 0]], [0.65, [0, -2]]]}}}}}}}}}},
             "drains": {{"below": {{"shape": {{"box": {{"min": [-2, -1.5], "max": [2, -0.5]}}}}}}}}}})",
        spacing / 2, law, -gap / 2, gap / 2));
    const auto left = [&] {
        const Pool& pool = s->particles();
        return total(*s, [&](std::size_t i) { return pool[pool.position][i].y > 0 ? pool[pool.volume][i] : 0; });
    };
    const double all = left();
    std::array<double, 3> at{};
    while (at[2] == 0 && s->time() < 20) {
        static_cast<void>(s->step(20));
        const double out = 1 - left() / all;
        for (std::size_t k = 0; k < at.size(); ++k)
            if (at[k] == 0 && out > std::array{0.2, 0.45, 0.65}[k]) at[k] = s->time();
    }
    const Discharge found{0.25 * all / (at[1] - at[0]), 0.2 * all / (at[2] - at[1])};
    if (show())
        fmt::print("silo of {}, gap {} m: {:.4f}, {:.4f} m^2/s; by g^1/2 D^3/2: {:.2f}\n", law.substr(0, 9), gap,
                   found.early, found.late, found.early / std::sqrt(g * gap * gap * gap));
    return found;
}

// Beverloo 1961 in 2D: W = C g^1/2 (D - k d)^3/2, whatever is above; k of d is lost at the rim, 1 to 2 of balls. What
// is lost of a continuum is some of its particles.
double lost_at_the_rim(const std::string& law, double narrow_gap, double wide_gap) {
    const Discharge narrow = discharge(law, narrow_gap, 0.01), wide = discharge(law, wide_gap, 0.01);
    for (const Discharge& d : {narrow, wide}) EXPECT_NEAR(d.late, d.early, 0.2 * d.early);
    const double root = std::pow(wide.early / narrow.early, 2.0 / 3); // (D2 - k d) / (D1 - k d)
    const double lost = (root * narrow_gap - wide_gap) / (root - 1);
    if (show()) fmt::print("lost at the rim: {:.4f} m\n", lost);
    return lost;
}

TEST(Silo, OfGrainsRunsOutByBeverloosLaw) {
    const double lost = lost_at_the_rim(R"("grains": {"friction": 0.5, "rolling": 0.05, "spread": 1.3})", 0.07, 0.12);
    EXPECT_GT(lost, 0.009); // 1 to 3 of their mean diameter
    EXPECT_LT(lost, 0.027);
}

TEST(Silo, OfSandRunsOutByBeverloosLaw) {
    const double lost = lost_at_the_rim(R"("sand": {"angle": 30})", 0.08, 0.13);
    EXPECT_GT(lost, 0);
    EXPECT_LT(lost, 0.04);
}

} // namespace
} // namespace loam::test
