// Water under its own weight is no solid: layers slide, and waves go on. Depth, wavelength and gravity are 1; no
// viscosity. Four radii (the default), where pressures that follow the summed density resist shear.
#include <numbers>

#include <gtest/gtest.h>

#include "figure.h"
#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double k = 2 * std::numbers::pi, speed = 0.1;

// Uneven particles that came to rest for a while.
std::unique_ptr<Simulation> tank(int across, const std::string& solver, int seed = 0) {
    auto s = start(fmt::format(
        R"({{"dimensions": 2, "duration": 50, "fps": 10, "seed": {2}, "particle_radius": {0}, "solver": {{{1}}},
            "domain": {{"min": [0, null], "max": [1, null], "periodic": "x"}},
            "behaviors": {{"gravity": {{"acceleration": [0, -1, 0]}}}},
            "bodies": {{
              "water": {{"jitter": 0.2, "shape": {{"box": {{"min": [0, 0], "max": [1, 1]}}}},
                         "behaviors": {{"fluid": {{"density": 1}}}}}},
              "floor": {{"shape": {{"plane": {{"point": [0.5, 0], "normal": [0, 1], "size": 1}}}},
                         "boundary": {{"slip": "free"}}}}}}}})",
        0.5 / across, solver, seed));
    Pool& pool = s->particles();
    while (s->time() < 1) {
        const double before = s->time();
        if (const Status done = s->step(1); !done) throw std::runtime_error(done.error().text());
        const auto kept = static_cast<float>(std::exp(-10 * (s->time() - before)));
        for (Float4& v : pool[pool.velocity]) v = {kept * v.x, kept * v.y, 0, v.w};
    }
    return s;
}

// How much of a flow there is in the velocities.
double share_of(const Simulation& s, const std::function<Vec3d(const Vec3d&)>& flow) {
    const Pool& pool = s.particles();
    double both = 0, own = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d mode = flow(pool[pool.position][i]);
        both += dot(mode, pool[pool.velocity][i].xyz_double());
        own += dot(mode, mode);
    }
    return both / own;
}

const char* const corrected = R"("pressure": "dfsph", "dfsph": {"gradients": "corrected"})";
// Sound ten times as fast as long waves, sqrt(g depth).
const char* const carried = R"("pressure": "wcsph", "wcsph": {"density": "carried", "sound_speed": 10})";

// Weight does not act between particles.
const char* const smooth = R"("pressure": "dfsph", "smooth_weight": true)";

// For the figures, which show what it is about: keeps 0.66 of the layers' speed and 0.59 of a wave after two periods.
const char* const plain = R"("pressure": "dfsph")";

std::string name_of(const std::string& solver) {
    return solver == corrected ? "dfsph corrected"
           : solver == carried ? "wcsph carried"
           : solver == smooth  ? "dfsph, smooth weight"
                               : "dfsph plain";
}

double kept_by_layers(const std::string& solver) {
    const auto s = tank(24, solver);
    const auto layers = [](const Vec3d& x) { return Vec3d{speed * std::cos(k * x.y), 0, 0}; };
    set_velocities(*s, layers);
    Curve shares{{0, 1}};
    advance(*s, 3, every(0.02, *s, [&] { shares.emplace_back(s->time() - 1, share_of(*s, layers)); }));
    const double kept = share_of(*s, layers);
    if (std::getenv("LOAM_SHOW")) fmt::print("{}: layers keep {:.4f}\n", solver, kept);
    Figure figure("layers",
                  {.title = "Layers that slide under pressure",
                   .subtitle = "24 particles across, no viscosity",
                   .panels = {{.x_label = "t √(g / H)", .y_label = "speed / speed at first", .from_zero = true}}});
    figure.exact("no resistance", {{0, 1}, {2, 1}});
    figure.ours(name_of(solver), {shares});
    return kept;
}

TEST(FreeShear, LayersSlideCorrected) {
    EXPECT_NEAR(kept_by_layers(corrected), 1, 0.02);
    if (Figure::wanted()) kept_by_layers(plain);
}
TEST(FreeShear, LayersSlideUnderSmoothWeight) { EXPECT_NEAR(kept_by_layers(smooth), 1, 0.02); }
TEST(FreeShear, LayersSlideCarried) { EXPECT_NEAR(kept_by_layers(carried), 1, 0.02); }

struct Wave {
    double quarter, kept; // of its velocity after a quarter of a period and after two
};

// Airy: omega^2 = g k tanh(k depth).
Wave follow_wave(int across, const std::string& solver, int seed = 0) {
    const auto s = tank(across, solver, seed);
    const auto wave = [](const Vec3d& x) {
        const double f = speed / std::cosh(k);
        return Vec3d{f * std::sin(k * x.x) * std::cosh(k * x.y), -f * std::cos(k * x.x) * std::sinh(k * x.y), 0};
    };
    set_velocities(*s, wave);
    const double period = k / std::sqrt(k * std::tanh(k));
    Curve shares{{0, 1}};
    const auto look = every(0.02, *s, [&] { shares.emplace_back((s->time() - 1) / period, share_of(*s, wave)); });
    advance(*s, 1 + 0.25 * period, look);
    const double quarter = share_of(*s, wave);
    advance(*s, 1 + 2 * period, look);
    const double kept = share_of(*s, wave);
    if (std::getenv("LOAM_SHOW")) fmt::print("{}: a wave has {:.4f}, keeps {:.4f}\n", solver, quarter, kept);
    Figure figure("wave", {.title = "Standing wave without viscosity",
                           .subtitle = "depth = wavelength; 32 (dfsph) and 24 (wcsph) particles across",
                           .panels = {{.x_label = "t / T", .y_label = "velocity / largest at first"}}});
    figure.exact("Airy", curve_of(0, 2, [](double t) { return std::cos(k * t); }));
    figure.ours(name_of(solver), {shares});
    return {quarter, kept};
}

void expect_to_last(const Wave& wave) {
    EXPECT_NEAR(wave.quarter, 0, 0.1);
    EXPECT_NEAR(wave.kept, 1, 0.15);
}

// Waves of uneven particles differ from seed to seed, by some 0.07 in what is kept.
TEST(FreeShear, StandingWaveLastsCorrected) {
    Wave mean{0, 0};
    for (int seed = 0; seed < 4; ++seed) {
        const Wave one = follow_wave(32, corrected, seed);
        mean = {mean.quarter + 0.25 * one.quarter, mean.kept + 0.25 * one.kept};
    }
    expect_to_last(mean);
    if (Figure::wanted()) follow_wave(32, plain);
}
// Cells of two spacings see a wave of 32 particles as a little lower than it is: it swings 4 % too slowly.
TEST(FreeShear, StandingWaveLastsUnderSmoothWeight) {
    const Wave wave = follow_wave(64, smooth);
    EXPECT_NEAR(wave.quarter, 0, 0.1);
    EXPECT_GT(wave.kept, 0.81); // 0.9 per period
    EXPECT_LT(wave.kept, 1.02); // and no gain: it was 1.12 where the push of the step before acted
}
TEST(FreeShear, StandingWaveLastsCarried) { expect_to_last(follow_wave(24, carried)); }

} // namespace
} // namespace loam::test
