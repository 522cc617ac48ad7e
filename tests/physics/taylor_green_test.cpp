// F4: Taylor-Green vortices at Re = 100 in a doubly periodic square; the largest speed falls as exp(-8 pi^2 t / Re).
//
// What it needs: a start off the lattice, which would break like a crystal and take energy with it; shifting, because
// the flow draws particles out along its stagnation lines; and a wide kernel.
#include <numbers>

#include <gtest/gtest.h>

#include "figure.h"
#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double pi = std::numbers::pi, reynolds = 100;

Vec3d vortices(const Vec3d& p) {
    return {-std::cos(2 * pi * p.x) * std::sin(2 * pi * p.y), std::sin(2 * pi * p.x) * std::cos(2 * pi * p.y), 0};
}

std::string square(int n, const std::string& solver) {
    return fmt::format(
        R"({{"dimensions": 2, "duration": 2.5, "fps": 20, "particle_radius": {},
            "domain": {{"min": [0, 0, null], "max": [1, 1, null], "periodic": "xy"}},
            "solver": {{"kernel": "wendland", "support": 8, "shifting": 2, "volume_error": 0.01, {}}},
            "bodies": {{"water": {{"shape": {{"box": {{"min": [0, 0], "max": [1, 1]}}}}, "velocity": [1, 0, 0], "jitter": 0.2,
              "behaviors": {{"fluid": {{"density": 1}}, "viscosity": {{"model": "morris", "viscosity": 0.01}}}}}}}}}})",
        0.5 / n, solver);
}

// How much of the vortices is left: projection of the velocities onto the start's pattern.
double left(const Simulation& s) {
    const Pool& pool = s.particles();
    double along = 0, whole = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d v0 = vortices(pool[pool.position][i]);
        along += dot(v0, pool[pool.velocity][i].xyz_double()), whole += dot(v0, v0);
    }
    return along / whole;
}

double exact_decay(double t) { return std::exp(-8 * pi * pi * t / reynolds); }

void draw(const std::string& solver, const Curve& speed) {
    Figure figure("F4", {.title = "F4: Taylor-Green vortices",
                         .subtitle = "Re = 100, 50 x 50 particles",
                         .panels = {{.x_label = "t U / L", .y_label = "largest speed / U", .y = Scale::logarithmic},
                                    {.x_label = "t U / L", .y_label = "deviation [%]"}}});
    figure.exact("exact", curve_of(0, 2.5, exact_decay), 0);
    figure.exact("exact", {{0, 0}, {2.5, 0}}, 1);
    Curve deviation;
    for (const auto& [t, v] : speed) deviation.emplace_back(t, 100 * (v / exact_decay(t) - 1));
    figure.ours(solver_of(solver), {speed, deviation});
}

void expect_decay(int n, const std::string& solver, double tolerance) {
    const auto s = start(square(n, solver));
    set_velocities(*s, vortices);
    Curve speed;
    const auto look = every(0.02, *s, [&] { speed.emplace_back(s->time(), left(*s)); });
    for (const double t : {0.5, 1.0, 2.0, 2.5}) {
        advance(*s, t, look);
        const double exact = exact_decay(t);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{} t {}: {:.4f} of {:.4f} ({:+.1f}%) rms {:.4f}\n", solver, t, left(*s), exact,
                       100 * (left(*s) / exact - 1), std::sqrt(4 * kinetic_energy(*s)));
        EXPECT_NEAR(left(*s) / exact, 1, tolerance) << "at " << t;
    }
    draw(solver, speed);
}

TEST(TaylorGreen, DecaysWithDfsph) { expect_decay(50, R"("pressure": "dfsph", "max_time_step": 0.003)", 0.03); }
TEST(TaylorGreen, DecaysWithWcsph) {
    expect_decay(50, R"("pressure": "wcsph", "wcsph": {"negative_pressure": true})", 0.03);
}

} // namespace
} // namespace loam::test
