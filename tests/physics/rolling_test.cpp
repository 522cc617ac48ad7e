// Rigid bodies touch by their true surface: round things roll, bounce and rest at their radius, boxes slide, stand and
// land on corners. References are Coulomb's friction and Newton's laws.
#include <gtest/gtest.h>

#include "behaviors/rigid/rotation.h"
#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double g = 9.81;
constexpr double degrees = std::numbers::pi / 180;

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

struct Setting {
    double particle_radius = 0.01;
    double time_step = 0; // at most; 0: chosen
    double slope = 0;     // of the ground, degrees; down along x
    int dimensions = 3;
};

// Bodies on ground whose surface passes through the origin.
std::string scene(const Setting& setting, const std::string& bodies) {
    const double a = setting.slope * degrees;
    return fmt::format(
        R"({{"dimensions": {}, "duration": 20, "fps": 50, "particle_radius": {}, "solver": {{"max_time_step": {}}},
            "behaviors": {{"gravity": {{}}}},
            "bodies": {{"ground": {{"shape": {{"plane": {{"point": [0, 0, 0], "normal": [{}, {}, 0], "size": 3}}}}, "boundary": {{}}}}, {}}}}})",
        setting.dimensions, setting.particle_radius, setting.time_step, std::sin(a), std::cos(a), bodies);
}

std::string body(const std::string& name, const std::string& shape, const std::string& rigid) {
    return fmt::format(R"("{}": {{"shape": {{{}}}, "behaviors": {{"rigid": {{{}}}}}}})", name, shape, rigid);
}

std::string ball(const Vec3d& center, double radius) {
    return fmt::format(R"("sphere": {{"center": [{}, {}, {}], "radius": {}}})", center.x, center.y, center.z, radius);
}

struct State {
    Vec3d center, velocity, spin;
    double energy = 0; // kinetic and of height, for a unit of mass
};

State state_of(const Simulation& s, const std::string& name) {
    const Pool& pool = s.particles();
    State state;
    double mass = 0;
    Matrix3 inertia;
    Vec3d angular;
    const auto each = [&](const auto& visit) {
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (s.scene().bodies[pool[pool.body][i]].name == name)
                visit(static_cast<double>(pool[pool.mass][i]), pool[pool.position][i],
                      pool[pool.velocity][i].xyz_double());
    };
    each([&](double m, const Vec3d& x, const Vec3d& v) { mass += m, state.center += m * x, state.velocity += m * v; });
    state.center *= 1 / mass, state.velocity *= 1 / mass;
    each([&](double m, const Vec3d& x, const Vec3d& v) {
        angular += m * cross(x - state.center, v);
        inertia = inertia + m * point_inertia(x - state.center);
    });
    const double own = std::pow(s.context().scene.spacing, 2) / 6; // of the particles of a box, as cubes
    state.spin =
        s.context().scene.dimensions == 2 ? Vec3d{0, 0, angular.z / inertia.rows[2].z} : inverse(inertia) * angular;
    state.energy = 0.5 * dot(state.velocity, state.velocity) + 0.5 * dot(state.spin, angular / mass) +
                   0.5 * own * dot(state.spin, state.spin) + g * state.center.y;
    return state;
}

// Pushed along x, a ball slides, is spun up by friction, and rolls: v falls to 1 / (1 + I / r^2) of itself, 5/7 for a
// solid ball, in (1 - that) v / (mu g).
struct Rolled {
    double speed = 0, spin = 0, time = 0; // as shares of what they should be
    double height = 0;                    // of the center, in radii
};

constexpr double of_ball = 0.4, of_cylinder = 0.5; // I / r^2, for a unit of mass

Rolled roll(const std::string& shape, double radius, double i, double speed, double friction, const Setting& setting) {
    const auto s = start(scene(setting, body("round", shape, fmt::format(R"("friction": {})", friction))));
    set_velocities(*s, [&](const Vec3d&) { return Vec3d{speed, 0, 0}; });
    const double rolls_with = speed / (1 + i), rolls_at = (speed - rolls_with) / (friction * g);
    double time = 0, last = 0, slip = speed, height = 0, count = 0;
    while (s->time() < 2 * rolls_at) {
        if (const Status done = s->step(2 * rolls_at); !done) throw std::runtime_error(done.error().text());
        const State now = state_of(*s, "round");
        const double slips = now.velocity.x + now.spin.z * radius;
        if (time == 0 && slips < 1e-3 * speed) time = last + slip / (friction * g * (1 + 1 / i)); // within this step
        last = s->time() - 0.5 * s->context().dt, slip = slips; // between frames velocities are those of mid-step
        height += now.center.y, count += 1;
    }
    const State end = state_of(*s, "round");
    if (show())
        fmt::print("{} dt {}: speed {:.4f} spin {:.4f} time {:.4f} height {:.4f} inertia {:.4f} steps {} last height "
                   "{:.5f}\n",
                   shape, setting.time_step, end.velocity.x / rolls_with, -end.spin.z * radius / rolls_with,
                   time / rolls_at, height / count / radius, i, s->steps(), end.center.y / radius);
    return {end.velocity.x / rolls_with, -end.spin.z * radius / rolls_with, time / rolls_at, height / count / radius};
}

TEST(Rolling, BeginsAsFrictionSays) {
    for (const double step : {0.0, 1e-3, 2e-4}) {
        const Rolled rolled = roll(ball({0, 0.12, 0}, 0.12), 0.12, of_ball, 1.3, 0.25, {.time_step = step});
        EXPECT_NEAR(rolled.speed, 1, 0.005) << step;
        EXPECT_NEAR(rolled.spin, 1, 0.005) << step;
        EXPECT_NEAR(rolled.time, 1, 0.01) << step;
        EXPECT_NEAR(rolled.height, 1, 0.001) << step;
    }
}

TEST(Rolling, OfACylinderEllipsoidAndDisc) {
    const Rolled cylinder = roll(R"("cylinder": {"from": [0, 0.09, -0.1], "to": [0, 0.09, 0.13], "radius": 0.09})",
                                 0.09, of_cylinder, 0.8, 0.3, {.particle_radius = 0.0075});
    EXPECT_NEAR(cylinder.speed, 1, 0.01);
    EXPECT_NEAR(cylinder.time, 1, 0.02);
    EXPECT_NEAR(cylinder.height, 1, 0.002);
    const Rolled disc = roll(ball({0, 0.1, 0}, 0.1), 0.1, of_cylinder, 1.1, 0.4, {.dimensions = 2});
    EXPECT_NEAR(disc.speed, 1, 0.01);
    EXPECT_NEAR(disc.time, 1, 0.02);
    EXPECT_NEAR(disc.height, 1, 0.002);
    const Rolled egg =
        roll(R"("ellipsoid": {"center": [0, 0.1, 0], "radii": [0.1, 0.1, 0.16]})", 0.1, of_ball, 1, 0.3, {});
    EXPECT_NEAR(egg.speed, 1, 0.01);
    EXPECT_NEAR(egg.time, 1, 0.02);
    EXPECT_NEAR(egg.height, 1, 0.002);
}

// What goes down a slope without slipping has g sin / (1 + I / r^2), 5/7 g sin for a ball and 2/3 for a cylinder; with
// little friction it slips, with g (sin - mu cos).
double down_slope(const std::string& shape, double radius, double i, double angle, double friction, double step) {
    const auto s = start(scene({.particle_radius = radius / 12, .time_step = step, .slope = angle},
                               body("round", shape, fmt::format(R"("friction": {})", friction))));
    const double sine = std::sin(angle * degrees), cosine = std::cos(angle * degrees);
    const double rolls = g * sine / (1 + i), slips = g * (sine - friction * cosine);
    advance(*s, 0.6);
    const State end = state_of(*s, "round");
    if (show())
        fmt::print("{} down {}: {:.4f}, height {:.4f}\n", shape, angle,
                   length(end.velocity) / 0.6 / std::max(rolls, slips),
                   (end.center.x * sine + end.center.y * cosine) / radius);
    EXPECT_NEAR((end.center.x * sine + end.center.y * cosine) / radius, 1, 0.002);
    return length(end.velocity) / 0.6 / std::max(rolls, slips);
}

TEST(Rolling, DownASlope) {
    const auto at = [](double radius, double angle) { // just above the slope
        return Vec3d{radius * std::sin(angle * degrees), radius * std::cos(angle * degrees), 0};
    };
    for (const double step : {0.0, 1e-3}) {
        EXPECT_NEAR(down_slope(ball(at(0.06, 17), 0.06), 0.06, of_ball, 17, 0.5, step), 1, 0.01);
        EXPECT_NEAR(down_slope(ball(at(0.06, 35), 0.06), 0.06, of_ball, 35, 0.1, step), 1, 0.01);
    }
    const Vec3d c = at(0.06, 12);
    EXPECT_NEAR(
        down_slope(fmt::format(R"("cylinder": {{"from": [{0}, {1}, -0.05], "to": [{0}, {1}, 0.08], "radius": 0.06}})",
                               c.x, c.y),
                   0.06, of_cylinder, 12, 0.6, 0),
        1, 0.01);
}

// Each bounce has e^2 of the height of the one before. In steps of one length, in which free flight is exact.
TEST(Bounces, KeepTheirShareThreeTimes) {
    for (const double step : {1.5e-3, 4e-4})
        for (const double restitution : {0.6, 0.85}) {
            const double radius = 0.09, drop = 0.7;
            const auto s = start(scene(
                {.particle_radius = 0.0075, .time_step = step},
                body("ball", ball({0, radius + drop, 0}, radius), fmt::format(R"("restitution": {})", restitution))));
            double top = 0, expected = drop;
            int bounces = 0;
            bool rising = false;
            while (bounces < 4) {
                if (const Status done = s->step(10); !done) throw std::runtime_error(done.error().text());
                const State now = state_of(*s, "ball");
                if (now.velocity.y > 0 && !rising) rising = true, top = 0, expected *= restitution * restitution;
                top = std::max(top, now.center.y - radius);
                if (now.velocity.y > 0 || !rising) continue;
                rising = false;
                if (++bounces > 3) break;
                if (show()) fmt::print("e {} dt {}: bounce {}: {:.4f}\n", restitution, step, bounces, top / expected);
                EXPECT_NEAR(top / expected, 1, 0.01) << "bounce " << bounces;
            }
            advance(*s, s->time() + 3);
            EXPECT_NEAR(state_of(*s, "ball").center.y, radius, 0.002 * radius);
        }
}

// The same where each step ends with a frame, and where frames cut steps at odd moments.
TEST(Bounces, DoNotDependOnFrames) {
    const double radius = 0.09, drop = 0.7, restitution = 0.8;
    for (const double fps : {40.0, 77.0, 310.0}) {
        const auto s =
            start(scene({.particle_radius = 0.0075}, body("ball", ball({0, radius + drop, 0}, radius),
                                                          fmt::format(R"("restitution": {})", restitution))));
        double speed = std::sqrt(2 * g * drop), touched = std::sqrt(2 * drop / g), farthest = 0;
        double next = touched; // bounce
        int bounces = 0;
        for (int frame = 1;; ++frame) {
            const double t = frame / fps;
            while (t >= next) ++bounces, speed *= restitution, touched = next, next += 2 * speed / g;
            if (bounces > 3) break;
            advance(*s, t);
            const double since = t - touched,
                         expected = bounces ? since * (speed - 0.5 * g * since) : drop - 0.5 * g * t * t;
            farthest = std::max(farthest, std::abs(state_of(*s, "ball").center.y - radius - expected));
        }
        if (show()) fmt::print("bounces, fps {}: off by {:.1e} m, {} steps\n", fps, farthest, s->steps());
        EXPECT_LT(farthest, 1e-4) << fps; // some millimeters, if a frame halved what gravity does in the step
    }
}

// A box that is pushed slides, is braked by mu g, and stands where it stops.
TEST(Boxes, SlideAndStop) {
    for (const double step : {0.0, 1e-3}) {
        const auto s =
            start(scene({.time_step = step}, body("box", R"("box": {"min": [-0.1, 0, -0.1], "max": [0.1, 0.12, 0.1]})",
                                                  R"("friction": 0.35)")));
        set_velocities(*s, [](const Vec3d&) { return Vec3d{1.1, 0, 0}; });
        advance(*s, 0.2);
        // What slides is shown as it was in the middle of the last step.
        EXPECT_NEAR(state_of(*s, "box").velocity.x, 1.1 - 0.35 * g * 0.2, step > 0 ? 0.005 : 0.03);
        advance(*s, 0.6);
        const State end = state_of(*s, "box");
        EXPECT_NEAR(end.center.x, 1.1 * 1.1 / (2 * 0.35 * g), 0.01); // a step too early or late
        EXPECT_NEAR(end.center.y, 0.06, 1e-4);
        EXPECT_LT(length(end.velocity) + 0.1 * length(end.spin), 1e-5);
    }
}

// A box turned so that it comes down on a corner, or on an edge, tips over onto a face: never does its energy grow.
TEST(Boxes, LandOnACornerAndOnAnEdge) {
    for (const char* axis : {"[1, 0.3, 0.5]", "[0, 0, 1]"})
        for (const double step : {0.0, 1e-3}) {
            const auto s =
                start(scene({.time_step = step},
                            body("box",
                                 fmt::format(R"("box": {{"min": [-0.06, -0.08, -0.1], "max": [0.06, 0.08, 0.1]}},
                                    "rotate": {{"axis": {}, "degrees": 37}}, "translate": [0, 0.25, 0])",
                                             axis),
                                 R"("friction": 0.6)")));
            double energy = state_of(*s, "box").energy, gained = 0;
            while (s->time() < 3) {
                if (const Status done = s->step(3); !done) throw std::runtime_error(done.error().text());
                const double now = state_of(*s, "box").energy;
                gained = std::max(gained, now - energy);
                energy = std::min(energy, now);
            }
            const State end = state_of(*s, "box");
            if (show())
                fmt::print("landed on {} dt {}: gained {:.2e} of {:.2f}, height {:.5f}, speed {:.1e} {:.1e}\n", axis,
                           step, gained, 0.25 * g, end.center.y, length(end.velocity), length(end.spin));
            EXPECT_LT(gained, 0.005 * 0.25 * g);
            EXPECT_LT(length(end.velocity) + 0.1 * length(end.spin), 1e-4);
            const double lies =
                std::min({std::abs(end.center.y - 0.06), std::abs(end.center.y - 0.08), std::abs(end.center.y - 0.1)});
            EXPECT_LT(lies, 0.002)
                << end.center.y; // on one of its faces; a turned lattice is off by a tenth of a spacing
        }
}

// They stand until the first is pushed; then each falls onto the next.
TEST(Boxes, FallAsDominoes) {
    std::string bodies;
    for (int k = 0; k < 6; ++k)
        bodies += (k ? ", " : "") + body(fmt::format("domino{}", k),
                                         fmt::format(R"("box": {{"min": [{}, 0, -0.05], "max": [{}, 0.16, 0.05]}})",
                                                     0.08 * k, 0.08 * k + 0.03),
                                         R"("friction": 0.4)");
    const auto s = start(scene({.particle_radius = 0.005}, bodies));
    advance(*s, 0.3);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(state_of(*s, fmt::format("domino{}", k)).center.y, 0.08, 1e-5) << k;
    set_velocities(*s, [](const Vec3d& x) {
        return x.x < 0.04 ? cross(Vec3d{0, 0, -3}, x - Vec3d{0.03, 0, 0}) : Vec3d{};
    });
    advance(*s, 2.5);
    for (int k = 0; k < 6; ++k) EXPECT_LT(state_of(*s, fmt::format("domino{}", k)).center.y, 0.07) << k;
}

// A can stands on its end, on another one as wide as itself.
TEST(Stacks, OfCansStand) {
    std::string bodies;
    for (int k = 0; k < 3; ++k)
        bodies += (k ? ", " : "") +
                  body(fmt::format("can{}", k),
                       fmt::format(R"("cylinder": {{"from": [0, {}, 0], "to": [0, {}, 0], "radius": 0.07}})", 0.12 * k,
                                   0.12 * k + 0.12),
                       "");
    const auto s = start(scene({}, bodies));
    advance(*s, 4);
    const State top = state_of(*s, "can2");
    if (show())
        fmt::print("cans: {:.5f} {:.5f} {:.5f}, speed {:.1e}\n", top.center.x, top.center.y, top.center.z,
                   length(top.velocity));
    EXPECT_NEAR(top.center.y, 0.3, 5e-4);
    EXPECT_LT(std::hypot(top.center.x, top.center.z), 1e-3);
    EXPECT_LT(length(top.velocity), 1e-3);
}

std::unique_ptr<Simulation> in_vessel(const std::string& shape, const Vec3d& at, const std::string& gravity) {
    return start(fmt::format(
        R"({{"duration": 20, "fps": 50, "particle_radius": 0.01, "behaviors": {{"gravity": {{"acceleration": {}}}}},
            "bodies": {{"vessel": {{"shape": {{{}, "invert": true}}, "boundary": {{}}}}, {}}}}})",
        gravity, shape, body("ball", ball(at, 0.07), R"("friction": 0.6)")));
}

// In the corner of a vessel a ball touches three faces at once.
TEST(Balls, RestInCorners) {
    const auto s = in_vessel(R"("box": {"min": [0, 0, 0], "max": [0.5, 0.5, 0.5]})", {0.2, 0.15, 0.2}, "[-2, -9, -1]");
    advance(*s, 4);
    EXPECT_LT(length(state_of(*s, "ball").center - Vec3d{0.07, 0.07, 0.07}), 5e-4);
}

// In a bowl it rolls to and fro, as a pendulum of (R - r) (1 + I / r^2), and loses nothing by it.
TEST(Balls, RollToAndFroInABowl) {
    const double far = 0.23, angle = 9 * degrees;
    const auto s = in_vessel(R"("sphere": {"center": [0, 0, 0], "radius": 0.3})",
                             {0.9999 * far * std::sin(angle), -0.9999 * far * std::cos(angle), 0}, "[0, -9.81, 0]");
    const double period = 2 * std::numbers::pi * std::sqrt(far * (1 + of_ball) / g) * (1 + angle * angle / 16);
    std::vector<double> passes;
    double last = state_of(*s, "ball").center.x, time = 0, widest = 0;
    while (s->time() < 4.2 * period) {
        if (const Status done = s->step(5 * period); !done) throw std::runtime_error(done.error().text());
        const State now = state_of(*s, "ball");
        if (now.center.x * last < 0) passes.push_back(time + (s->time() - time) * last / (last - now.center.x));
        last = now.center.x, time = s->time();
        if (time > 3.2 * period) widest = std::max(widest, std::abs(now.center.x));
    }
    ASSERT_GT(passes.size(), 7u);
    if (show())
        fmt::print("bowl: period {:.4f}, swing {:.4f}\n", (passes[6] - passes[0]) / 3 / period,
                   widest / (far * std::sin(angle)));
    EXPECT_NEAR((passes[6] - passes[0]) / 3 / period, 1, 0.01);
    EXPECT_NEAR(widest / (far * std::sin(angle)), 1, 0.05);
}

// Equal balls that meet head on exchange their speeds, however coarse.
TEST(Balls, ExchangeSpeeds) {
    for (const double radius : {0.01, 0.03}) {
        const auto s = start(scene({.particle_radius = radius, .time_step = 1e-3},
                                   body("left", ball({-0.2, 1, 0}, 0.09), R"("restitution": 1)") + ", " +
                                       body("right", ball({0.1, 1, 0}, 0.09), R"("restitution": 1)")),
                             {"behaviors.gravity.acceleration=[0,0,0]"});
        set_velocities(*s, [](const Vec3d& x) { return Vec3d{x.x < -0.05 ? 1.0 : 0.0, 0, 0}; });
        advance(*s, 0.4);
        const State left = state_of(*s, "left"), right = state_of(*s, "right");
        EXPECT_NEAR(left.velocity.x, 0, 1e-3);
        EXPECT_NEAR(right.velocity.x, 1, 1e-3);
        EXPECT_NEAR(left.center.x, -0.08, 1e-3);
        EXPECT_NEAR(right.center.x, 0.1 + 0.28, 1e-3);
    }
}

} // namespace
} // namespace loam::test
