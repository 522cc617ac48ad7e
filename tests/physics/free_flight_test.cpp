// What flies freely follows its parabola and keeps its spin, however long the steps are and however often frames are
// wanted.
#include <gtest/gtest.h>

#include "solid_scenes.h"

namespace loam::test {
namespace {

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

const Vec3d thrown{1.3, 4.1, -0.7}, gravity{0.4, -9.3, 0.2};

struct Thrown {
    std::string name, body; // what is thrown, as JSON: shape and behaviors
    std::string solver = "";
};

std::string flight(const Thrown& what, double fps, const std::string& solver, const Vec3d& g = gravity) {
    return fmt::format(R"({{"duration": 2, "fps": {}, "particle_radius": 0.02, "solver": {{{}}},
        "behaviors": {{"gravity": {{"acceleration": [{}, {}, {}]}}}},
        "bodies": {{"it": {{"velocity": [{}, {}, {}], {}}}}}}})",
                       fps, what.solver + (what.solver.empty() || solver.empty() ? "" : ", ") + solver, g.x, g.y, g.z,
                       thrown.x, thrown.y, thrown.z, what.body);
}

struct Center {
    Vec3d place, velocity;
};

Center center_of(const Simulation& s) {
    const Pool& pool = s.particles();
    Center all;
    double mass = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double m = pool[pool.mass][i];
        mass += m, all.place += m * pool[pool.position][i], all.velocity += m * pool[pool.velocity][i].xyz_double();
    }
    return {all.place / mass, all.velocity / mass};
}

class Parabola : public testing::TestWithParam<Thrown> {};

TEST_P(Parabola, DoesNotDependOnFramesAndSteps) {
    for (const char* const solver : {"", R"("max_time_step": 0.0037)", R"("cfl": 0.9)"})
        for (const double fps : {3.0, 24.0, 170.0}) {
            const auto s = start(flight(GetParam(), fps, solver));
            const Center first = center_of(*s);
            double farthest = 0, off = 0;
            for (int frame = 1; frame <= 0.67 * fps; ++frame) {
                const double t = frame / fps;
                advance(*s, t);
                const Center now = center_of(*s);
                farthest = std::max(farthest, length(now.place - first.place - t * thrown - (0.5 * t * t) * gravity));
                off = std::max(off, length(now.velocity - thrown - t * gravity));
            }
            if (show())
                fmt::print("{} fps {} {}: place {:.1e} m, velocity {:.1e} m/s, {} steps\n", GetParam().name, fps,
                           solver, farthest, off, s->steps());
            EXPECT_LT(farthest, 1e-5) << fps << " " << solver;
            EXPECT_LT(off, 1e-4) << fps << " " << solver;
        }
}

const char* const cube = R"("shape": {"box": {"min": [0, 0, 0], "max": [0.16, 0.2, 0.12]}}, "behaviors": )";
const char* const sheet = R"("shape": {"sheet": {"u": [0.4, 0, 0], "v": [0, 0.1, 0.4]}}, "behaviors": )";

INSTANTIATE_TEST_SUITE_P(
    All, Parabola,
    testing::Values(Thrown{"rigid", cube + std::string(R"({"rigid": {}})")},
                    Thrown{"rigidVerlet", cube + std::string(R"({"rigid": {}})"), R"("integrator": "velocity-verlet")"},
                    Thrown{"elasticExplicit",
                           cube + std::string(R"({"elastic": {"integration": "explicit", "young_modulus": 1e5}})")},
                    Thrown{"elasticImplicit", cube + std::string(R"({"elastic": {"integration": "implicit"}})")},
                    Thrown{"elasticVerlet", cube + std::string(R"({"elastic": {"integration": "implicit"}})"),
                           R"("integrator": "velocity-verlet")"},
                    Thrown{"drop", cube + std::string(R"({"fluid": {}, "viscosity": {}})")},
                    Thrown{"dropWcsph", cube + std::string(R"({"fluid": {}})"), R"("pressure": "wcsph")"},
                    Thrown{"dropPbf", cube + std::string(R"({"fluid": {}})"), R"("pressure": "pbf")"},
                    Thrown{"cloth", sheet + std::string(R"({"cloth": {}})")},
                    Thrown{"clothImplicit", sheet + std::string(R"({"cloth": {"integration": "implicit"}})")},
                    Thrown{"springsVerlet", sheet + std::string(R"({"springs": {"integration": "verlet"}})")},
                    Thrown{"shell", sheet + std::string(R"({"shell": {}})")}),
    [](const auto& of) { return of.param.name; });

// About the center; by itself a body keeps it.
Vec3d angular_momentum(const Simulation& s) {
    const Pool& pool = s.particles();
    const Center center = center_of(s);
    Vec3d sum;
    for (std::size_t i = 0; i < pool.size(); ++i)
        sum += static_cast<double>(pool[pool.mass][i]) *
               cross(pool[pool.position][i] - center.place, pool[pool.velocity][i].xyz_double() - center.velocity);
    return sum;
}

void spin(Simulation& s, const Vec3d& by) {
    const Vec3d center = center_of(s).place;
    set_velocities(s, [&](const Vec3d& x) { return cross(by, x - center); });
}

std::vector<Vec3d> around_center(const Simulation& s) {
    std::vector<Vec3d> all = positions_by_id(s);
    const Vec3d center = center_of(s).place;
    for (Vec3d& x : all) x -= center;
    return all;
}

// The middle axis of inertia is unstable: the body tumbles, and any error grows.
TEST(Tumbling, OfARigidBodyDoesNotDependOnFramesAndSteps) {
    const Thrown box{"box",
                     R"("shape": {"box": {"min": [0, 0, 0], "max": [0.12, 0.2, 0.32]}}, "behaviors": {"rigid": {}})"};
    std::vector<Vec3d> first;
    for (const char* const solver :
         {R"("max_time_step": 0.0005)", "", R"("cfl": 2)", R"("integrator": "velocity-verlet")"})
        for (const double fps : {5.0, 60.0}) {
            const auto s = start(flight(box, fps, solver));
            spin(*s, {0.4, 9, 0.7});
            for (int frame = 1; frame <= 2 * fps; ++frame) advance(*s, frame / fps);
            const std::vector<Vec3d> now = around_center(*s);
            if (first.empty()) first = now;
            double farthest = 0;
            for (std::size_t k = 0; k < now.size(); ++k) farthest = std::max(farthest, length(now[k] - first[k]));
            if (show()) fmt::print("{} fps {}: {:.1e} m, {} steps\n", solver, fps, farthest, s->steps());
            EXPECT_LT(farthest, 1e-4) << solver << " " << fps;
        }
}

struct Elastic {
    std::string name, values;
    double fps = 25;
};

class ElasticSpin : public testing::TestWithParam<Elastic> {};

// While it falls, at 9 m/s in the end, its speed is rounded more than its spin can bear.
TEST_P(ElasticSpin, KeepsItsAngularMomentum) {
    const Thrown bar{"bar", fmt::format(R"({}{{"elastic": {{{}}}}})", cube, GetParam().values)};
    for (const bool falls : {false, true}) {
        const auto s = start(flight(bar, GetParam().fps, "", falls ? gravity : Vec3d{}));
        spin(*s, {2, -3, 5});
        const Vec3d before = angular_momentum(*s);
        double changed = 0;
        for (int frame = 1; frame <= GetParam().fps; ++frame) {
            advance(*s, frame / GetParam().fps);
            changed = std::max(changed, length(angular_momentum(*s) - before) / length(before));
        }
        if (show())
            fmt::print("{}{}: {:.1e} of it, {} steps\n", GetParam().name, falls ? " falls" : "", changed, s->steps());
        EXPECT_LT(changed, falls ? 3e-6 : 1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(All, ElasticSpin,
                         testing::Values(Elastic{"plain", ""}, Elastic{"soft", R"("young_modulus": 3e4)"},
                                         Elastic{"stiff", R"("young_modulus": 5e8)"},
                                         Elastic{"explicit", R"("integration": "explicit", "young_modulus": 1e6)", 70},
                                         Elastic{"implicit", R"("integration": "implicit", "young_modulus": 1e6)", 70},
                                         Elastic{"damped", R"("integration": "implicit", "damping": 0.01)"}),
                         [](const auto& of) { return of.param.name; });

// More frames must not turn implicit steps into explicit ones, ten times as many.
TEST(ElasticSteps, AreChosenWhateverTheFrames) {
    const Thrown bar{"bar", std::string(cube) + R"({"elastic": {"young_modulus": 2e8}})"};
    for (const double fps : {10.0, 2000.0}) {
        const auto s = start(flight(bar, fps, ""));
        for (int frame = 1; frame <= 0.1 * fps; ++frame) advance(*s, frame / fps);
        EXPECT_LT(s->steps(), 250u) << fps;
    }
}

} // namespace
} // namespace loam::test
