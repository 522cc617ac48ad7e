// Every pressure solver held to the same physics: rest, hydrostatic pressure, momentum, layers, a dam break.
#include <algorithm>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "every_solver.h"

namespace loam::test {
namespace {

// A box of fluid in a larger tank, particles 0.05 apart.
std::string tank(int dimensions, const std::string& solver, double width, double height, double tank_width) {
    return fmt::format(
        R"({{"dimensions": {0}, "duration": 10, "fps": 20, "particle_radius": 0.025,
            "solver": {{{1}, "volume_error": {5}}}, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [{2}, {3}, 0.4]}}}},
                         "behaviors": {{"fluid": {{"density": 1000}}, "viscosity": {{"viscosity": 10}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [{4}, 2, 0.4]}}, "invert": true}},
                        "boundary": {{}}}}}}}})",
        dimensions, settings(solver), width, height, tank_width, wanted_error(solver));
}

constexpr double spacing = 0.05;

class EverySolver : public testing::TestWithParam<std::string> {};

struct Column1D {
    double mean_height, slope, speed; // speed: root mean square
};

// Mean height, and the slope of pressure over depth by least squares away from walls and surface.
Column1D measure(const Simulation& s, double height) {
    const Pool& pool = s.particles();
    double mean = 0, n = 0, sy = 0, sp = 0, syy = 0, syp = 0, speed = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const double y = pool[pool.position][i].y, p = pool[pool.felt_pressure][i];
        mean += y;
        speed += dot(pool[pool.velocity][i].xyz_double(), pool[pool.velocity][i].xyz_double());
        const Vec3d& x = pool[pool.position][i];
        const bool beside = std::min(x.x, 0.4 - x.x) < 2 * spacing ||
                            (s.context().scene.dimensions == 3 && std::min(x.z, 0.4 - x.z) < 2 * spacing);
        if (beside || y < 2 * spacing || y > height - 2 * spacing) continue;
        n += 1, sy += y, sp += p, syy += y * y, syp += y * p;
    }
    return {mean / static_cast<double>(pool.size()), (n * syp - sy * sp) / (n * syy - sy * sy),
            std::sqrt(speed / static_cast<double>(pool.size()))};
}

// Pressures of single steps are noisy (they stop what noise there is in the velocities), so means over time count.
void rest(const std::string& solver, int dimensions, double height) {
    const auto s = start(tank(dimensions, solver, 0.4, height, 0.4));
    Column1D mean{};
    const double settled = 0.8, end = 1.8;
    advance(*s, settled);
    for (double before = settled; before < end; before = s->time()) {
        if (const Status done = s->step(end); !done) throw std::runtime_error(done.error().text());
        s->feel_pressure();
        const Column1D now = measure(*s, height);
        const double weight = (s->time() - before) / (end - settled);
        mean.mean_height += weight * now.mean_height;
        mean.slope += weight * now.slope;
        mean.speed += weight * now.speed;
    }
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{} {}D: mean {} slope {} speed {}\n", solver, dimensions, mean.mean_height, mean.slope, mean.speed);
    // The row at the floor settles closer to it than half a spacing, as wall particles push with one pressure only.
    EXPECT_NEAR(mean.mean_height, height / 2, 0.02 * height / 2 + 0.25 * spacing);
    // Columns come out 1 to 5% too steep, flat ones up to 7%: the sunken row lets them pack more closely, by 2% in
    // height alone, and rows press sideways more than down, while the felt pressure is the mean of all axes.
    EXPECT_NEAR(mean.slope, -9810, (dimensions == 3 ? 0.06 : 0.08) * 9810);
    EXPECT_LT(mean.speed, 0.1);
}

TEST_P(EverySolver, ColumnRests2D) { rest(GetParam(), 2, 1); }
TEST_P(EverySolver, ColumnRests3D) { rest(GetParam(), 3, 0.6); }

TEST_P(EverySolver, KeepsTheVolumeError) {
    const auto s = start(tank(2, GetParam(), 0.5, 1, 1.5));
    for (int frame = 1; frame <= 8; ++frame) {
        advance(*s, frame / 20.0);
        const StepReport report = s->take_report();
        EXPECT_LE(report.volume_error, wanted_error(GetParam())) << "frame " << frame;
        EXPECT_EQ(report.unconverged, 0) << "frame " << frame;
    }
    const Pool& pool = s->particles();
    for (float p : pool[pool.pressure]) EXPECT_GE(p, 0);
}

// A square that is squeezed along x and stretched along y, alone in space.
TEST_P(EverySolver, FreeBlobKeepsItsMomentum) {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 1, "fps": 10, "particle_radius": 0.025, "solver": {{{}}},
            "bodies": {{"water": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [1, 1, 1]}}}},
                                   "behaviors": {{"fluid": {{"density": 1000}}}}}}}}}})",
        settings(GetParam())));
    set_velocities(*s, [](const Vec3d& p) { return Vec3d{0.3 - (p.x - 0.5), 0.1 + (p.y - 0.5), 0}; });
    const Vec3d before = momentum(*s);
    const double energy = kinetic_energy(*s);
    advance(*s, 0.3);
    EXPECT_LT(length(momentum(*s) - before), 1e-4 * length(before));
    EXPECT_LT(kinetic_energy(*s), 1.02 * energy);
}

TEST_P(EverySolver, LightFluidStaysOnHeavy) {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 1, "fps": 20, "particle_radius": 0.025,
            "solver": {{{}, "volume_error": 0.001}}, "behaviors": {{"gravity": {{}}, "viscosity": {{"viscosity": 5}}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.6, 0.5, 1]}}}},
                         "behaviors": {{"fluid": {{"density": 1000}}}}}},
              "oil": {{"shape": {{"box": {{"min": [0, 0.5, 0], "max": [0.6, 1, 1]}}}},
                       "behaviors": {{"fluid": {{"density": 500}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.6, 2, 1]}}, "invert": true}},
                        "boundary": {{}}}}}}}})",
        settings(GetParam())));
    advance(*s, 1);
    const Pool& pool = s->particles();
    double heights[2]{}, counts[2]{};
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const int oil = pool[pool.mass][i] < 0.75 * 2.5;
        heights[oil] += pool[pool.position][i].y, counts[oil] += 1;
    }
    EXPECT_NEAR(heights[0] / counts[0], 0.25, 0.01);
    EXPECT_NEAR(heights[1] / counts[1], 0.75, 0.02);
}

// A column whose width is not a whole number of spacings: its last row stands 0.15 spacings nearer, 10 % compressed.
TEST_P(EverySolver, SqueezedStartDoesNotBurst) {
    const auto energy = [](double width) {
        const auto s = start(tank(2, GetParam(), width, 1, 3));
        advance(*s, 0.1);
        return kinetic_energy(*s);
    };
    const double fitting = energy(0.55), squeezed = energy(0.53);
    if (std::getenv("LOAM_SHOW")) fmt::print("{}: {:.2f} J, fitting {:.2f} J\n", GetParam(), squeezed, fitting);
    EXPECT_NEAR(squeezed, fitting, 0.05 * fitting);
}

// Rows of a hexagonal lattice do not fit a square: the last ones are put down nearer. Nothing holds them, so whatever
// pushes them apart must not set them flying.
TEST_P(EverySolver, SqueezedStartStaysTogether) {
    const auto s =
        start(fmt::format(R"({{"dimensions": 2, "fps": 50, "particle_radius": 0.005, "solver": {{{}}}, "bodies": {{
        "drop": {{"lattice": "hexagonal", "shape": {{"box": {{"min": [-0.1, -0.1], "max": [0.1, 0.1]}}}},
                  "velocity": [1, 0], "behaviors": {{"fluid": {{}}, "surface_tension": {{"tension": 1e-3}}}}}}}}}})",
                          settings(GetParam())));
    advance(*s, 0.02);
    const double mass = total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
    const double jitter = std::sqrt(std::max(0.0, 2 * kinetic_energy(*s) / mass - 1));
    if (std::getenv("LOAM_SHOW")) fmt::print("{}: {:.4f} m/s\n", GetParam(), jitter);
    EXPECT_LT(jitter, 0.012); // 0.0146 with all solvers that are not explicit if they are not moved apart first
}

double front(const std::string& solver) {
    const auto s = start(tank(2, solver, 0.5, 1, 3));
    advance(*s, 0.35);
    const Pool& pool = s->particles();
    std::vector<double> x;
    for (const Vec3d& p : pool[pool.position]) x.push_back(p.x);
    std::nth_element(x.begin(), x.end() - 4, x.end()); // a stray drop is no front
    return *(x.end() - 4);
}

// Drops that strike a wall, one another and a corner in few steps. Without viscosity.
TEST_P(EverySolver, FallingBlockGainsNoEnergy) {
    for (const int dimensions : {2, 3}) {
        auto s = start(
            fmt::format(R"({{"dimensions": {}, "fps": 20, "particle_radius": 0.025, "behaviors": {{"gravity": {{}}}},
            "solver": {{{}}}, "bodies": {{
            "water": {{"shape": {{"box": {{"min": [0.3, 1, 0.3], "max": [0.7, 1.4, 0.7]}}}}, "behaviors": {{"fluid": {{}}}}}},
            "tank": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [1, 2, 1]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                        dimensions, settings(GetParam())));
        const Pool& pool = s->particles();
        const auto energy = [&] { return energy_of(*s); };
        const double before = energy();
        double most = 0, fastest = 0;
        for (int frame = 1; frame <= 20; ++frame) {
            advance(*s, 0.05 * frame);
            most = std::max(most, energy() / before), fastest = std::max(fastest, pool.fastest());
        }
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{} {}D: {:.3f} of the energy at most, {:.3f} left, {:.1f} m/s\n", GetParam(), dimensions, most,
                       energy() / before, fastest);
        EXPECT_LT(most, 1.01);
        EXPECT_LT(fastest, 15); // it falls with 4.4 m/s; jets along walls are faster
    }
}

// A ball of water in a vessel of its own shape: the lattice has more points in it than there is room for.
class FullVessel : public testing::TestWithParam<const char*> {};

TEST_P(FullVessel, IsCalm) {
    for (const double radius : {0.02, 0.03}) {
        const auto s = start(fmt::format(R"({{"particle_radius": {}, "fps": 10, "behaviors": {{"gravity": {{}}}},
            "solver": {{{}}}, "bodies": {{
            "water": {{"shape": {{"sphere": {{"radius": 0.3}}}}, "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 1}}}}}},
            "vessel": {{"shape": {{"sphere": {{"radius": 0.3}}, "invert": true}}, "boundary": {{}}}}}}}})",
                                         radius, settings(GetParam())));
        advance(*s, 0.5);
        const double mass = total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
        const double speed = std::sqrt(2 * kinetic_energy(*s) / mass);
        if (std::getenv("LOAM_SHOW")) fmt::print("{} {}: {:.1f} kg, {:.3f} m/s rms\n", GetParam(), radius, mass, speed);
        EXPECT_NEAR(mass, 113.1, 0.03 * 113.1); // 4 / 3 pi 0.3^3 1000
        EXPECT_LT(speed, 0.15);
    }
}

// A frame is written before the first step.
TEST_P(EverySolver, HasDensitiesAtTheStart) {
    const auto s = start(tank(2, GetParam(), 0.5, 0.5, 2));
    const Pool& pool = s->particles();
    for (std::size_t i = 0; i < pool.size(); ++i) {
        double density = 0;
        for (const Vec3d& x : pool[pool.position])
            density +=
                pool[pool.volume][i] * kernel_value(s->context().scene.kernel, length(x - pool[pool.position][i]));
        const Vec3d& at = pool[pool.position][i];
        if (at.x > 0.15 && at.x < 0.35 && at.y > 0.15) // beside no wall
            EXPECT_NEAR(pool[pool.density][i], density, 1e-4);
        else
            EXPECT_NEAR(pool[pool.density][i], 1, 0.5);
    }
}

TEST_P(EverySolver, TellsOfValuesThatAreNotFinite) {
    const auto s = start(tank(2, GetParam(), 0.5, 0.5, 2));
    advance(*s, 0.01);
    s->particles()[s->particles().velocity][7].x = std::numeric_limits<float>::quiet_NaN();
    const Status done = s->advance(0.5, nullptr, {});
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().fault, Fault::simulation);
    EXPECT_EQ(done.error().where, "bodies.water") << done.error().text();
    EXPECT_NE(done.error().what.find("at 0.01"), std::string::npos) << done.error().text();
    EXPECT_FALSE(done.error().hint.empty());
}

class PlainSolver : public testing::TestWithParam<std::string> {}; // published methods, without further modes

// Water over air, near enough: what is light is shot out from under what is heavy. Carried densities and corrected
// gradients are for fluids of like densities.
TEST_P(PlainSolver, LetsHeavyFluidsFallThroughLightOnes) {
    for (const double light : {10.0, 1.0}) {
        auto s = start(
            fmt::format(R"({{"dimensions": 2, "fps": 20, "particle_radius": 0.025, "behaviors": {{"gravity": {{}}}},
            "solver": {{{}}}, "bodies": {{
            "light": {{"shape": {{"box": {{"min": [0, 0], "max": [0.5, 0.25]}}}}, "behaviors": {{"fluid": {{"density": {}}}}}}},
            "heavy": {{"shape": {{"box": {{"min": [0, 0.25], "max": [0.5, 0.5]}}}}, "behaviors": {{"fluid": {{}}}}}},
            "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.5, 1]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                        settings(GetParam()), light));
        const double before = energy_of(*s);
        double most = 0;
        for (int frame = 1; frame <= 20; ++frame) {
            advance(*s, 0.05 * frame);
            most = std::max(most, energy_of(*s) / before);
        }
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{}, 1000 over {}: {:.3f} of the energy at most, {:.3f} at the end, {} steps\n", GetParam(),
                       light, most, energy_of(*s) / before, s->steps());
        EXPECT_LT(most, GetParam() == "wcsph" ? 1.15 : 1.01); // rounding alone makes it 1.0 to 1.13 with wcsph
        EXPECT_LT(energy_of(*s) / before, 0.9);               // most of the heavy fluid is down
    }
}

TEST_P(EverySolver, DamBreakFrontIsThatOfTheOthers) {
    double others = 0, count = 0; // their mean
    for (const std::string& name : solver_names())
        if (name != GetParam()) others += front(name), count += 1;
    others /= count;
    const double own = front(GetParam());
    if (std::getenv("LOAM_SHOW")) fmt::print("{}: front {}, others {}\n", GetParam(), own, others);
    EXPECT_NEAR(own, others, 0.5 * spacing); // 2 % of the way
    EXPECT_GT(own, 1);                       // twice the width of the column: it has run. F6 holds it to a measurement
}

// A wall that closes in on a channel with periodic ends: all fluid that is pushed must rise.
TEST_P(EverySolver, PistonLiftsPeriodicFluid) {
    const auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 1, "fps": 20, "particle_radius": 0.025,
            "domain": {{"min": [0, -1, null], "max": [0.6, 3, null], "periodic": "x"}},
            "solver": {{{}, "volume_error": 0.001}}, "behaviors": {{"gravity": {{}}, "viscosity": {{"viscosity": 5}}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.6, 0.5, 1]}}}},
                         "behaviors": {{"fluid": {{"density": 1000}}}}}},
              "floor": {{"shape": {{"box": {{"min": [0, -0.2, 0], "max": [0.6, 0, 1]}}}},
                         "boundary": {{"motion": {{"velocity": [0, 0.3, 0]}}}}}}}}}})",
        settings(GetParam())));
    advance(*s, 0.5);
    EXPECT_NEAR(measure(*s, 0.5).mean_height, 0.25 + 0.15, 0.015);
}

std::vector<Vec3d> places(const std::string& solver, std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    const auto s = start(tank(3, solver, 0.8, 1, 1.2));
    advance(*s, 0.05);
    const Pool& pool = s->particles();
    std::vector<Vec3d> result(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i) result[pool[pool.id][i]] = pool[pool.position][i];
    return result;
}

TEST_P(EverySolver, SameBitsForAnyNumberOfThreads) {
    const auto one = places(GetParam(), 1);
    for (std::size_t threads : {2, 3, 8}) {
        const auto others = places(GetParam(), threads);
        ASSERT_EQ(others.size(), one.size());
        for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(others[i], one[i]) << "particle " << i;
    }
}

// What a solver takes from one step to the next is saved.
TEST_P(EverySolver, GoesOnAfterARestart) {
    const std::string scene = tank(2, GetParam(), 0.5, 1, 1.5);
    const auto whole = start(scene), rest = start(scene);
    advance(*whole, 0.2);
    Pool &from = whole->particles(), &to = rest->particles();
    ASSERT_TRUE(rest->restore(whole->snapshot()));
    advance(*whole, 0.3);
    advance(*rest, 0.3);
    for (std::size_t i = 0; i < from.size(); ++i)
        ASSERT_EQ(from[from.position][i], to[to.position][i]) << "particle " << i;
}

// Keys of density, even if they change nothing, leave the vessel as full as it was.
TEST(FullVesselOfKeyedDensity, HoldsWhatItHeld) {
    const auto s = start(
        R"({"particle_radius": 0.02, "duration": 1, "fps": 20,
          "bodies": {
            "water": {"shape": {"sphere": {"radius": 0.3}},
              "behaviors": {"fluid": {"density": {"keys": [[0, 1000], [0.05, 1000], [0.1, 2000]]}}}},
            "vessel": {"shape": {"sphere": {"radius": 0.3}, "invert": true}, "boundary": {}}}})");
    const auto mass = [&] { return total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; }); };
    const double room = static_cast<double>(s->particles().size()) * std::pow(0.04, 3), before = mass();
    ASSERT_LT(before, 0.99 * 1000 * room) << "the lattice had more points than there is room for";
    advance(*s, 0.05);
    EXPECT_NEAR(mass(), before, 1e-5 * before);
    advance(*s, 0.15);
    EXPECT_NEAR(mass(), 2 * before, 1e-5 * before);
}

// Who is alone is told by its neighbors, not by who stands first in the pool: a gas elsewhere, before it in space or
// behind, changes nothing for a heavy fluid.
TEST(HeavyFluid, RestsWhereverAGasIs) {
    for (const double gas : {-2.0, 2.0}) {
        const auto s = start(fmt::format(
            R"({{"dimensions": 2, "particle_radius": 0.05, "duration": 1, "fps": 20, "solver": {{"time_step": 0.001}},
              "bodies": {{
                "heavy": {{"shape": {{"box": {{"min": [0, 0], "max": [1, 0.5]}}}},
                           "behaviors": {{"fluid": {{"density": 1e5}}, "gravity": {{}}}}}},
                "gas": {{"shape": {{"box": {{"min": [{}, {}], "max": [{}, {}]}}}}, "behaviors": {{"fluid": {{"density": 1e-3}}}}}},
                "floor": {{"shape": {{"box": {{"min": [-0.2, -0.2], "max": [1.2, 0]}}}}, "boundary": {{}}}},
                "left": {{"shape": {{"box": {{"min": [-0.2, 0], "max": [0, 1]}}}}, "boundary": {{}}}},
                "right": {{"shape": {{"box": {{"min": [1, 0], "max": [1.2, 1]}}}}, "boundary": {{}}}}}}}})",
            gas, gas, gas + 0.3, gas + 0.3));
        advance(*s, 0.3);
        const Pool& pool = s->particles();
        double middle = 0, count = 0;
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == 0) middle += pool[pool.position][i].y, count += 1;
        EXPECT_NEAR(middle / count, 0.25, 0.01) << "with a gas at " << gas;
    }
}

INSTANTIATE_TEST_SUITE_P(Pressure, FullVessel, testing::Values("dfsph", "iisph", "pbf", "pcisph"));
INSTANTIATE_TEST_SUITE_P(Pressure, PlainSolver, testing::Values("dfsph", "iisph", "pbf", "pcisph", "wcsph"));
INSTANTIATE_TEST_SUITE_P(Pressure, EverySolver, testing::ValuesIn(solver_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace loam::test
