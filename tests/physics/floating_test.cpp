// R1: a box floats at Archimedes' depth; bodies of any density come to rest, with every pressure solver.
#include <gtest/gtest.h>

#include "figure.h"
#include "run_scene.h"

namespace loam::test {
namespace {

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

struct Tank {
    double width = 3, depth = 2, box = 1, density = 700, dx = 0.05;
    double draught = 0.7; // at the start
    std::string solver = R"("pressure": "dfsph")";
    double viscosity = 1;
    bool turns = false; // a square box of density 0.21 to 0.79 does not float upright by itself
};

std::string scene(const Tank& t) {
    const double left = 0.5 * (t.width - t.box), bottom = t.depth - t.draught;
    return fmt::format(
        R"({{"dimensions": 2, "duration": 20, "fps": 20, "particle_radius": {0}, "solver": {{{1}}},
            "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {{"difference": [{{"box": {{"min": [0, 0], "max": [{2}, {3}]}}}},
                                                   {{"box": {{"min": [{4}, {5}], "max": [{6}, {7}]}}}}]}},
                         "behaviors": {{"fluid": {{"density": 1000}}, "viscosity": {{"viscosity": {8}}}}}}},
              "box": {{"shape": {{"box": {{"min": [{4}, {5}], "max": [{6}, {7}]}}}},
                       "behaviors": {{"rigid": {{"density": {9}, "turns": {11}}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [{2}, {10}]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        t.dx / 2, t.solver, t.width, t.depth, left, bottom, left + t.box, bottom + t.box, t.viscosity, t.density,
        2 * t.depth + t.box, t.turns);
}

struct Box {
    double bottom = 1e300;
    Vec3d center, velocity;
    double top_speed = 0;
};

Box box_of(const Simulation& s, double dx) {
    const Pool& pool = s.particles();
    Box box;
    double count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (s.scene().bodies[pool[pool.body][i]].name != "box") continue;
        const Vec3d x = pool[pool.position][i], v = pool[pool.velocity][i].xyz_double();
        box.bottom = std::min(box.bottom, x.y - 0.5 * dx);
        box.center += x, box.velocity += v, count += 1;
        box.top_speed = std::max(box.top_speed, length(v));
    }
    box.center *= 1 / count, box.velocity *= 1 / count;
    return box;
}

// From the uppermost particle of each column of water beside the box.
double level(const Simulation& s, const Tank& t) {
    const Pool& pool = s.particles();
    const double clear = 0.5 * (t.width - t.box) - 2 * t.dx;
    std::vector<double> top(static_cast<std::size_t>(std::lround(clear / t.dx)), 0);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (s.scene().bodies[pool[pool.body][i]].name != "water") continue;
        const Vec3d& x = pool[pool.position][i];
        for (const double from_side : {x.x, t.width - x.x})
            if (const auto k = static_cast<std::size_t>(std::max(0.0, from_side) / t.dx); k < top.size())
                top[k] = std::max(top[k], x.y + 0.5 * t.dx);
    }
    double sum = 0;
    for (const double y : top) sum += y;
    return sum / static_cast<double>(top.size());
}

struct Rest {
    double draught = 0, speed = 0, fastest = 0; // mean, root mean square and largest, of the box
};

// `draughts` gets those over time, if figures are wanted.
Rest settle(const Tank& t, double settled, double end, Curve* draughts = nullptr) {
    const auto s = start(scene(t));
    const auto draught = [&] { return level(*s, t) - box_of(*s, t.dx).bottom; };
    const auto look = every(0.03, *s, [&] {
        if (draughts) draughts->emplace_back(s->time(), draught());
    });
    advance(*s, settled, look);
    Rest rest;
    for (double before = settled; before < end; before = s->time()) {
        if (const Status done = s->step(end); !done) throw std::runtime_error(done.error().text());
        const double weight = (s->time() - before) / (end - settled);
        const Box box = box_of(*s, t.dx);
        rest.draught += weight * (level(*s, t) - box.bottom);
        rest.speed += weight * dot(box.velocity, box.velocity);
        rest.fastest = std::max(rest.fastest, box.top_speed);
        if (look) look();
    }
    rest.speed = std::sqrt(rest.speed);
    if (show())
        fmt::print("{} ratio {}: draught {:.4f} ({:+.2f} dx), rms speed {:.2e}, fastest {:.2e}, steps {}\n", t.solver,
                   t.density / 1000, rest.draught, (rest.draught - 0.001 * t.density * t.box) / t.dx, rest.speed,
                   rest.fastest, s->steps());
    return rest;
}

TEST(FloatingBox, HasArchimedesDraught) {
    const Tank tank{.draught = 0.75};
    Curve draughts;
    const Rest rest = settle(tank, 4, 6, &draughts);
    EXPECT_NEAR(rest.draught, 0.7, 0.5 * tank.dx);
    EXPECT_LT(rest.speed, 0.05); // it heaves on, from 0.1 m/s at first
    Figure figure("R1", {.title = "R1: draught of a floating box",
                         .subtitle = "1 m x 1 m, density 700 kg/m³, let go 0.05 m too deep; dx 0.05",
                         .panels = {{.x_label = "time [s]", .y_label = "draught [m]"}}});
    figure.exact("Archimedes", {{0, 0.7}, {6, 0.7}});
    figure.ours("dfsph", {draughts});
}

// Pushed down by a tenth and let go. The period of potential flow in this tank, with a free surface that is linear
// about rest, is 2.045 s: the lowest symmetric mode of box and water together, by finite differences (2.013, 2.026 s
// with cells of 0.1 and 0.05 m). Six radii, as with four water is so stiff against shear that the swing halves with
// every half period.
TEST(FloatingBoxLong, HeavesWithItsPeriod) {
    constexpr double expected = 2.045, end = 6;
    const Tank tank{.dx = 0.02,
                    .draught = 0.8,
                    .solver = R"("pressure": "dfsph", "kernel": "wendland", "support": 6)",
                    .viscosity = 0.001};
    const auto s = start(scene(tank));
    std::vector<std::pair<double, double>> heights; // of the box, at times
    while (s->time() < end) {
        if (const Status done = s->step(end); !done) throw std::runtime_error(done.error().text());
        heights.emplace_back(s->time(), box_of(*s, tank.dx).center.y);
    }
    double rest = 0, count = 0; // mean over two periods
    for (const auto& [time, height] : heights)
        if (time > end - 2 * expected) rest += height, count += 1;
    rest /= count;
    std::vector<double> crossings;
    for (std::size_t k = 1; k < heights.size(); ++k) {
        const double before = heights[k - 1].second - rest, now = heights[k].second - rest;
        if (before * now >= 0) continue;
        const double share = before / (before - now);
        crossings.push_back(heights[k - 1].first + share * (heights[k].first - heights[k - 1].first));
    }
    ASSERT_GE(crossings.size(), 5u);
    const double period = 2 * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
    if (show()) {
        for (const double t : crossings) fmt::print("crosses at {:.3f} s\n", t);
        fmt::print("period {:.3f} s ({:+.1f} %)\n", period, 100 * (period / expected - 1));
    }
    EXPECT_NEAR(period, expected, 0.02 * expected);

    // The water beside the box sinks as it rises, so it rises by less than its draught lessens.
    const double deep = (tank.draught - 0.7) * (1 - tank.box / tank.width);
    Figure figure("R1-heave", {.title = "R1: heave of a floating box",
                               .subtitle = "let go 0.1 m too deep; dx 0.02, Wendland, 6 radii",
                               .panels = {{.x_label = "time [s]", .y_label = "height over its mean [m]"}}});
    figure.exact("potential flow",
                 curve_of(0, end, [&](double t) { return -deep * std::cos(2 * M_PI * t / expected); }));
    Curve heave;
    for (const auto& [time, height] : heights) heave.emplace_back(time, height - rest);
    figure.ours("dfsph", {heave});
}

class FloatingBoxSolver : public testing::TestWithParam<const char*> {};

TEST_P(FloatingBoxSolver, Floats) {
    const Tank tank{.width = 1.2,
                    .depth = 0.6,
                    .box = 0.4,
                    .density = 500,
                    .dx = 0.04,
                    .draught = 0.2,
                    .solver = fmt::format(R"("pressure": "{}", "volume_error": {})", GetParam(),
                                          GetParam() == std::string("wcsph") ? 0.01 : 1e-4)};
    const Rest rest = settle(tank, 2, 3);
    EXPECT_NEAR(rest.draught, 0.2, 0.5 * tank.dx);
    EXPECT_LT(rest.speed, 0.02);
}

INSTANTIATE_TEST_SUITE_P(All, FloatingBoxSolver, testing::Values("dfsph", "wcsph", "iisph", "pcisph", "pbf"),
                         [](const auto& of) { return std::string(of.param); });

class DensityRatio : public testing::TestWithParam<double> {};

// Light ones float high, heavy ones lie on the floor; none trembles.
TEST_P(DensityRatio, ComesToRest) {
    const double ratio = GetParam();
    const Tank tank{.width = 1.2,
                    .depth = 0.6,
                    .box = 0.4,
                    .density = 1000 * ratio,
                    .dx = 0.04,
                    .draught = std::clamp(std::round(10 * ratio) / 10 * 0.4, 0.04, 0.4)};
    const Rest rest = settle(tank, 3, 4);
    if (ratio < 1) {
        EXPECT_NEAR(rest.draught, ratio * tank.box, 0.5 * tank.dx);
    } else {
        EXPECT_NEAR(rest.draught, tank.depth, 1.5 * tank.dx); // a layer may be trapped
    }
    EXPECT_LT(rest.speed, ratio < 0.1 ? 0.04 : 0.02); // one that light goes with the ripples
}

INSTANTIATE_TEST_SUITE_P(All, DensityRatio, testing::Values(0.05, 0.3, 0.9, 2.0, 10.0),
                         [](const auto& of) { return fmt::format("Percent{}", std::lround(100 * of.param)); });

// Water that a heavy box locks in on the floor is squeezed. It must not burst: no energy may come in beyond the fall's.
TEST(FloatingBox, LandsOnTheFloorWithoutABang) {
    struct Fall {
        double box, density, dx;
    };
    for (const Fall& f : {Fall{0.4, 10000, 0.04}, Fall{0.3, 7000, 0.03}, Fall{0.6, 12000, 0.05}}) {
        const Tank tank{.width = 1.2,
                        .depth = f.box + 0.2,
                        .box = f.box,
                        .density = f.density,
                        .dx = f.dx,
                        .draught = f.box,
                        .viscosity = 1e-3};
        const auto s = start(scene(tank));
        double most = 0;
        advance(*s, 2, [&] { most = std::max(most, kinetic_energy(*s)); });
        const double fall = (f.density - 1000) * f.box * f.box * 9.81 * 0.2;
        if (show()) fmt::print("{} on the floor: {:.3f} of the energy of its fall\n", f.density, most / fall);
        EXPECT_LT(most, 1.5 * fall) << f.density; // what was squeezed gives some of it back at once
        EXPECT_LT(box_of(*s, f.dx).top_speed, 0.1) << f.density;
    }
}

// The same density as the fluid: it neither rises nor sinks.
TEST(FloatingBox, StaysWhereItIsWhenNeutral) {
    const Tank tank{.width = 1.2, .depth = 1.0, .box = 0.2, .density = 1000, .dx = 0.04, .draught = 0.6};
    const auto s = start(scene(tank));
    advance(*s, 0.5);
    const double before = box_of(*s, tank.dx).center.y;
    advance(*s, 2.5);
    const double drift = box_of(*s, tank.dx).center.y - before;
    if (show()) fmt::print("neutral: drift {:+.4f} m in 2 s\n", drift);
    EXPECT_NEAR(drift, 0, tank.dx);
}

} // namespace
} // namespace loam::test
