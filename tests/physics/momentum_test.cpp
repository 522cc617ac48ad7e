// Pair forces, here without pressure, are equal and opposite: viscosity changes no total momentum, and only takes
// kinetic energy away.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

struct Case {
    std::string model;
    int dimensions;
};

class ViscousMomentum : public testing::TestWithParam<Case> {};

std::string two_drops(const Case& c, double viscosity) {
    return fmt::format(R"({{"dimensions": {0}, "duration": 1, "fps": 100, "particle_radius": 0.05,
        "solver": {{"pressure": "wcsph", "wcsph": {{"sound_speed": 1e-6}}, "max_time_step": 0.002}},
        "bodies": {{
          "light": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.8, 0.8, 0.8]}}}}, "jitter": 0.4,
                    "behaviors": {{"fluid": {{"density": 300}}, "viscosity": {{"model": "{1}", "viscosity": {2}}}}}}},
          "heavy": {{"shape": {{"box": {{"min": [0.8, 0, 0], "max": [1.6, 0.8, 0.8]}}}}, "jitter": 0.4, "seed": 7,
                    "behaviors": {{"fluid": {{"density": 2000}},
                                  "viscosity": {{"model": "{1}", "viscosity": {3}, "alpha": 0.3}}}}}}}}}})",
                       c.dimensions, c.model, viscosity, 20 * viscosity);
}

TEST_P(ViscousMomentum, IsKeptAndEnergyFalls) {
    const auto s = start(two_drops(GetParam(), 5));
    set_velocities(*s, [&](const Vec3d& p) {
        const double z = GetParam().dimensions == 3 ? std::cos(13 * p.x) : 0;
        return Vec3d{std::sin(9 * p.y) + (p.x > 0.8 ? -1 : 1), std::sin(17 * p.x + 3 * p.z), z};
    });
    const Vec3d before = momentum(*s);
    const double scale = std::sqrt(2 * kinetic_energy(*s) *
                                   total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; }));
    const double energy = kinetic_energy(*s);
    advance(*s, 0.05);
    EXPECT_LT(length(momentum(*s) - before), 1e-6 * scale);
    EXPECT_LT(kinetic_energy(*s), 0.9 * energy);
}

std::vector<Case> all() {
    std::vector<Case> cases;
    for (const char* model : {"morris", "muller", "implicit", "artificial", "xsph"})
        for (const int dimensions : {2, 3}) cases.push_back({model, dimensions});
    return cases;
}

INSTANTIATE_TEST_SUITE_P(All, ViscousMomentum, testing::ValuesIn(all()),
                         [](const auto& one) { return one.param.model + std::to_string(one.param.dimensions) + "D"; });

// A free spinning disk of honey keeps spinning: implicit forces act along lines of centers.
TEST(ViscousSpin, IsKeptByImplicit) {
    const auto s = start(R"({"dimensions": 2, "duration": 1, "fps": 100, "particle_radius": 0.02,
        "bodies": {"honey": {"shape": {"sphere": {"center": [0, 0, 0], "radius": 0.4}},
                   "behaviors": {"fluid": {"density": 1400}, "viscosity": {"viscosity": 50, "tolerance": 1e-4}}}}})");
    set_velocities(*s, [](const Vec3d& p) { return 0.5 * Vec3d{-p.y, p.x, 0}; });
    const Pool& pool = s->particles();
    const auto spin = [&] {
        return total(*s, [&](std::size_t i) {
            const Vec3d& x = pool[pool.position][i];
            const Float4& v = pool[pool.velocity][i];
            return x.x * v.y - x.y * v.x;
        });
    };
    const double before = spin();
    advance(*s, 0.5);
    EXPECT_NEAR(spin() / before, 1, 0.02);
    EXPECT_GT(s->take_report().mean_dt, 1e-3);
}

// Pressure too: a square that is squeezed along x and stretched along y, alone in space, keeps its momentum to the
// rounding of single precision.
TEST(FreeBlob, KeepsMomentumToRounding) {
    for (const char* solver : {"wcsph", "dfsph"}) {
        const auto s = start(fmt::format(
            R"({{"dimensions": 2, "duration": 1, "fps": 10, "particle_radius": 0.025, "solver": {{"pressure": "{}"}},
                "bodies": {{"water": {{"shape": {{"box": {{"min": [0, 0], "max": [1, 1]}}}},
                                       "behaviors": {{"fluid": {{"density": 1000}}}}}}}}}})",
            solver));
        set_velocities(*s, [](const Vec3d& p) { return Vec3d{0.5 - p.x, p.y - 0.5, 0}; });
        const Vec3d before = momentum(*s);
        const double scale = 1000 * std::sqrt(2 * kinetic_energy(*s) / 1000);
        advance(*s, 0.3);
        const double change = length(momentum(*s) - before) / scale;
        if (std::getenv("LOAM_SHOW")) fmt::print("{}: change {:.1e}, {} steps\n", solver, change, s->steps());
        EXPECT_LT(change, 1e-5) << solver;
    }
}

} // namespace
} // namespace loam::test
