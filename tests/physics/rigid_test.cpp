// Rigid bodies without fluid: stacks stand, slopes hold or not by friction, balls bounce by restitution.
#include <gtest/gtest.h>

#include "base/threads.h"
#include "behaviors/rigid/rotation.h"
#include "run_scene.h"

namespace loam::test {
namespace {

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

std::string scene(double radius, const std::string& bodies, const std::string& more = R"("gravity": {})",
                  int dimensions = 3) {
    return fmt::format(
        R"({{"dimensions": {}, "duration": 20, "fps": 50, "particle_radius": {}, "behaviors": {{{}}}, "bodies": {{{}}}}})",
        dimensions, radius, more, bodies);
}

const char* const ground =
    R"("ground": {"shape": {"plane": {"point": [0, 0, 0], "normal": [0, 1, 0], "size": 2}}, "boundary": {}})";

std::uint32_t index_of(const Simulation& s, const std::string& name) {
    for (std::uint32_t b = 0; b < s.scene().bodies.size(); ++b)
        if (s.scene().bodies[b].name == name) return b;
    throw std::runtime_error("no body " + name);
}

struct State {
    Vec3d center, velocity, angular; // angular momentum about the center
    double top_speed = 0;
};

State state_of(const Simulation& s, const std::string& name) {
    const Pool& pool = s.particles();
    const std::uint32_t b = index_of(s, name);
    State state;
    double mass = 0;
    const auto each = [&](const auto& visit) {
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == b)
                visit(static_cast<double>(pool[pool.mass][i]), pool[pool.position][i],
                      pool[pool.velocity][i].xyz_double());
    };
    each([&](double m, const Vec3d& x, const Vec3d& v) {
        mass += m, state.center += m * x, state.velocity += m * v;
        state.top_speed = std::max(state.top_speed, length(v));
    });
    state.center *= 1 / mass, state.velocity *= 1 / mass;
    each([&](double m, const Vec3d& x, const Vec3d& v) { state.angular += m * cross(x - state.center, v); });
    return state;
}

TEST(RigidStack, OfTenBoxesStandsForTenSeconds) {
    std::string bodies = ground;
    for (int k = 0; k < 10; ++k)
        bodies += fmt::format(
            R"(, "box{0}": {{"shape": {{"box": {{"min": [{2}, {1}, 0], "max": [{3}, {4}, 0.2]}}}}, "behaviors": {{"rigid": {{}}}}}})",
            k, 0.2 * k, 0.004 * (k % 2), 0.2 + 0.004 * (k % 2), 0.2 * (k + 1));
    const auto s = start(scene(0.025, bodies));
    advance(*s, 5);
    const State middle = state_of(*s, "box9");
    advance(*s, 10);
    const State end = state_of(*s, "box9");
    if (show())
        fmt::print("top box at {} {} {}, speed {:.2e}, moved {:.2e} since 5 s, steps {}\n", end.center.x, end.center.y,
                   end.center.z, end.top_speed, length(end.center - middle.center), s->steps());
    EXPECT_NEAR(end.center.y, 1.9, 0.005);
    EXPECT_NEAR(end.center.x, 0.104, 0.002);
    EXPECT_LT(end.top_speed, 1e-3);
    EXPECT_LT(length(end.center - middle.center), 1e-3);
}

// A box on a slope of 20 degrees: tan 20 = 0.364.
State on_slope(double friction) {
    const double a = 20 * std::numbers::pi / 180;
    const auto s = start(scene(
        0.02,
        fmt::format(
            R"("slope": {{"shape": {{"plane": {{"point": [0, 0, 0], "normal": [{0}, {1}, 0], "size": 8}}}}, "boundary": {{}}}},
               "box": {{"shape": {{"box": {{"min": [-0.12, 0, -0.12], "max": [0.12, 0.16, 0.12]}},
                                   "rotate": {{"axis": [0, 0, 1], "degrees": -20}}}},
                        "behaviors": {{"rigid": {{"friction": {2}}}}}}})",
            std::sin(a), std::cos(a), friction)));
    advance(*s, 1);
    return state_of(*s, "box");
}

TEST(RigidSlope, HoldsByFriction) {
    const State holds = on_slope(0.4);
    EXPECT_LT(length(holds.velocity), 1e-3);
    const State slides = on_slope(0.2);
    const double expected =
        9.81 * (std::sin(20 * std::numbers::pi / 180) - 0.2 * std::cos(20 * std::numbers::pi / 180));
    if (show()) fmt::print("holds {:.2e} slides {} of {}\n", length(holds.velocity), length(slides.velocity), expected);
    EXPECT_NEAR(length(slides.velocity), expected, 0.02 * expected);
}

TEST(RigidBall, BouncesByItsRestitution) {
    for (const double restitution : {0.0, 0.5, 0.9}) {
        const auto s = start(scene(
            0.02,
            fmt::format(
                R"({}, "ball": {{"shape": {{"sphere": {{"center": [0, 0.6, 0], "radius": 0.1}}}}, "behaviors": {{"rigid": {{"restitution": {}}}}}}})",
                ground, restitution)));
        advance(*s, std::sqrt(2 * 0.5 / 9.81));
        double top = 0;
        while (s->time() < 0.9) {
            if (const Status done = s->step(0.9); !done) throw std::runtime_error(done.error().text());
            if (s->time() > 0.36) top = std::max(top, state_of(*s, "ball").center.y - 0.1);
        }
        if (show()) fmt::print("e {} height {} of {}\n", restitution, top, 0.5 * restitution * restitution);
        EXPECT_NEAR(top, 0.5 * restitution * restitution, 0.02);
    }
}

// Angular momentum and energy of a lone body, with what its particles have by spinning themselves, as cubes do.
struct Spin {
    Vec3d angular;
    double energy = 0;
};

Spin spin_of(const Simulation& s, const std::string& name) {
    const Pool& pool = s.particles();
    const State state = state_of(s, name);
    Matrix3 inertia;
    double own = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        inertia =
            inertia + static_cast<double>(pool[pool.mass][i]) * point_inertia(pool[pool.position][i] - state.center);
        own += pool[pool.mass][i] * std::pow(s.context().scene.spacing, 2) / 6;
    }
    const Vec3d turning = inverse(inertia) * state.angular; // per second
    return {state.angular + own * turning, kinetic_energy(s) + 0.5 * own * dot(turning, turning)};
}

TEST(RigidSpin, KeepsItsAngularMomentum) {
    const auto s = start(scene(
        0.025, R"("box": {"shape": {"box": {"min": [0, 0, 0], "max": [0.1, 0.2, 0.4]}}, "behaviors": {"rigid": {}}})",
        R"("attractor": {"strength": 0})"));
    set_velocities(*s, [](const Vec3d& x) {
        return cross(Vec3d{0.3, 6, 0.2}, x - Vec3d{0.05, 0.1, 0.2}) + Vec3d{1, 0, 0};
    });
    advance(*s, 0.05);
    const Spin before = spin_of(*s, "box");
    double turned = 0, gained = 0;
    for (int frame = 1; frame <= 60; ++frame) {
        advance(*s, 0.05 + 0.05 * frame);
        const Spin now = spin_of(*s, "box");
        turned = std::max(turned, length(now.angular - before.angular) / length(before.angular));
        gained = std::max(gained, std::abs(now.energy / before.energy - 1));
    }
    if (show()) fmt::print("spin: angular momentum off by {:.1e}, energy by {:.1e}\n", turned, gained);
    EXPECT_NEAR(state_of(*s, "box").center.x, 3.1, 1e-4);
    EXPECT_LT(turned, 1e-5); // rounding of the particles' velocities
    EXPECT_LT(gained, 1e-5);
}

TEST(RigidMotion, IsFollowedThenLetGo) {
    const auto s = start(scene(
        0.02,
        R"("box": {"shape": {"box": {"min": [0, 1, 0], "max": [0.2, 1.2, 0.2]}}, "behaviors": {"rigid": {"release": 0.5}},
                   "motion": {"velocity": [1, 0, 0]}})"));
    advance(*s, 0.5);
    EXPECT_NEAR(state_of(*s, "box").center.x, 0.6, 1e-6);
    EXPECT_NEAR(state_of(*s, "box").center.y, 1.1, 1e-6);
    advance(*s, 0.7);
    EXPECT_NEAR(state_of(*s, "box").center.x, 0.8, 1e-4);
    EXPECT_NEAR(state_of(*s, "box").velocity.y, -9.81 * 0.2, 0.1);
}

// A moving box pushes another one along without being slowed.
TEST(RigidMotion, PushesOthers) {
    const auto s = start(scene(
        0.02,
        std::string(ground) +
            R"(, "pusher": {"shape": {"box": {"min": [0, 0.04, 0], "max": [0.2, 0.24, 0.2]}}, "behaviors": {"rigid": {}},
                                  "motion": {"velocity": [0.5, 0, 0]}},
                      "box": {"shape": {"box": {"min": [0.3, 0, 0], "max": [0.5, 0.2, 0.2]}}, "behaviors": {"rigid": {}}})"));
    advance(*s, 1);
    EXPECT_NEAR(state_of(*s, "pusher").center.x, 0.6, 1e-6);
    EXPECT_NEAR(state_of(*s, "box").center.x, 0.8, 0.01);
}

// A disk that spins within a viscous fluid hands its spin over when the fluid sticks to it, and keeps most of it when
// not.
struct Spins {
    double disk = 0, all = 0; // angular momentum about the middle
};

Spins spins_of(const Simulation& s) {
    const Pool& pool = s.particles();
    Spins spins;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d l = static_cast<double>(pool[pool.mass][i]) *
                        cross(pool[pool.position][i], pool[pool.velocity][i].xyz_double());
        spins.all += l.z;
        if (pool[pool.body][i] == index_of(s, "disk")) spins.disk += l.z;
    }
    return spins;
}

class RigidSlip : public testing::TestWithParam<const char*> {};

TEST_P(RigidSlip, DecidesOverDrag) {
    for (const bool sticks : {false, true}) {
        const auto s = start(scene(
            0.01,
            fmt::format(
                R"("disk": {{"shape": {{"sphere": {{"radius": 0.1}}}}, "behaviors": {{"rigid": {{"slip": "{}"}}}}}},
                   "honey": {{"shape": {{"difference": [{{"sphere": {{"radius": 0.3}}}}, {{"sphere": {{"radius": 0.1}}}}]}},
                              "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 20, "model": "{}"}}}}}})",
                sticks ? "no" : "free", GetParam()),
            R"("attractor": {"strength": 0})", 2));
        set_velocities(*s, [](const Vec3d& x) { return length(x) < 0.1 ? cross(Vec3d{0, 0, 3}, x) : Vec3d{}; });
        const Spins before = spins_of(*s);
        advance(*s, 0.1);
        const Spins after = spins_of(*s);
        if (show())
            fmt::print("{} {}: disk {:.3f}, all {:.3f} of {:.3f}\n", GetParam(), sticks ? "sticks" : "slips",
                       after.disk / before.disk, after.all, before.all);
        if (sticks) {
            EXPECT_LT(after.disk, 0.3 * before.disk);
        } else {
            EXPECT_GT(after.disk, 0.5 * before.disk); // its rim is rough: it moves the fluid by pressure
        }
        if (GetParam() == std::string("implicit")) {
            EXPECT_NEAR(after.all, before.all, 0.02 * before.all);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, RigidSlip, testing::Values("implicit", "morris"),
                         [](const auto& model) { return std::string(model.param); });

std::vector<double> tumble(int threads, bool interrupted) {
    return with_threads(threads, [&] {
        std::string bodies = ground;
        for (int k = 0; k < 4; ++k)
            bodies += fmt::format(
                R"(, "b{0}": {{"shape": {{"box": {{"min": [{1}, {2}, 0], "max": [{3}, {4}, 0.2]}}, "rotate": {{"axis": [0, 0, 1], "degrees": 7}}}},
                       "behaviors": {{"rigid": {{"restitution": 0.3}}}}}})",
                k, 0.1 * (k % 2), 0.1 + 0.3 * k, 0.1 * (k % 2) + 0.2, 0.3 + 0.3 * k);
        auto s = start(scene(0.02, bodies));
        advance(*s, 0.3);
        if (interrupted) {
            auto other = start(scene(0.02, bodies));
            if (const Status done = other->restore(s->snapshot()); !done) throw std::runtime_error(done.error().text());
            s = std::move(other);
        }
        advance(*s, 0.6);
        std::vector<double> all;
        const Pool& pool = s->particles();
        for (std::size_t i = 0; i < pool.size(); ++i)
            all.push_back(pool[pool.position][i].x + pool[pool.position][i].y + pool[pool.velocity][i].x);
        return all;
    });
}

TEST(RigidRun, IsTheSameForAnyThreadsAndAfterARestart) {
    const auto once = tumble(1, false);
    EXPECT_EQ(once, tumble(3, false));
    EXPECT_EQ(once, tumble(2, true));
}

TEST(RigidScene, SaysWhatIsWrong) {
    const auto complaint = [](const std::string& text) -> std::string {
        try {
            start(text);
        } catch (const std::exception& error) {
            return error.what();
        }
        return "";
    };
    const char* const box =
        R"("{}": {{"shape": {{"box": {{"min": [0, {}, 0], "max": [0.2, {}, 0.2]}}}}, "behaviors": {{"rigid": {{}}}}}})";
    const auto boxed = [&](const char* name, double lo, double hi) {
        return fmt::format(fmt::runtime(box), name, lo, hi);
    };
    EXPECT_NE(complaint(scene(0.02, boxed("a", 0, 0.2) + ", " + boxed("b", 0.1, 0.3))).find("overlaps"),
              std::string::npos);
    EXPECT_NE(complaint(scene(0.02, std::string(ground) + ", " + boxed("a", -0.1, 0.1))).find("the wall ground"),
              std::string::npos);
    EXPECT_NE(complaint(scene(0.15, boxed("a", 0, 0.2))).find("one particle"), std::string::npos);
    EXPECT_NE(complaint(scene(0.02, R"("w": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}}, "motion": {},
                                             "behaviors": {"fluid": {}}})"))
                  .find("only rigid bodies"),
              std::string::npos);
    EXPECT_NE(complaint(scene(0.02, R"("w": {"shape": {"box": {"min": [0, 0, 0], "max": [1, 1, 1]}},
                                             "motion": {"angle": {"keys": [[1, 0], [0.5, 1]]}},
                                             "behaviors": {"rigid": {}}})"))
                  .find("keys stand in order"),
              std::string::npos);
}

} // namespace
} // namespace loam::test
