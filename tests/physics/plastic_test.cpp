// Plastic and breaking bodies: E5 and E6 of the validation cases.
#include <gtest/gtest.h>

#include <map>

#include "figure.h"
#include "solid_scenes.h"

namespace loam::test {
namespace {

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

// A 3D bar, held at both ends, the far one moved by keys.
std::string pulled_bar(const std::string& keys, const std::string& law = R"("yield": 1e4)") {
    return fmt::format(R"({{"duration": 10, "fps": 100, "particle_radius": 0.01,
        "solver": {{"pressure": "wcsph", "wcsph": {{"sound_speed": 1e-6}}}},
        "bodies": {{"bar": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.48, 0.06, 0.06]}}}},
            "pins": {{"near": {{"shape": {{"box": {{"min": [-1, -1, -1], "max": [0.04, 1, 1]}}}}}},
                     "far": {{"shape": {{"box": {{"min": [0.44, -1, -1], "max": [1, 1, 1]}}}},
                             "motion": {{"translation": {{"interpolation": "smooth", "keys": [{}]}}}}}}}},
            "behaviors": {{"elastic": {{"young_modulus": 1e6, "poisson_ratio": 0.3, {},
                                      "damping": 0.0005, "integration": "explicit"}}}}}}}}}})",
                       keys, law);
}

double gauge_strain(const Simulation& s) { // of the middle, where the stress is uniaxial
    const Vec3d left = displacement_of(s, [](const Vec3d& x) { return x.x > 0.16 && x.x < 0.18; });
    const Vec3d right = displacement_of(s, [](const Vec3d& x) { return x.x > 0.30 && x.x < 0.32; });
    return (right.x - left.x) / 0.14;
}

// E5: what is left of twice the strain at which it yields, once the bar bears no more load, is half of it.
TEST(Plastic, PulledBarKeepsWhatIsBeyondYield) {
    const double yields = 0.01; // yield / E
    const auto s = start(pulled_bar(R"([0, [0, 0, 0]], [0.4, [0.0084, 0, 0]],
                                       [0.45, [0.0084, 0, 0]],
                                       [0.85, [0.0064, 0, 0]], [0.9, [0.0064, 0, 0]])"));
    advance(*s, 0.45);
    const double longest = gauge_strain(*s);
    EXPECT_GT(longest, 1.5 * yields);
    advance(*s, 0.9);
    const double partly = gauge_strain(*s);
    // Unloading is elastic: what the pins gave back is what the strain lost. The rest of the load follows from Hooke.
    EXPECT_LT(partly, longest - 0.3 * yields);
    const auto free_again = start(pulled_bar(R"([0, [0, 0, 0]],
        [0.4, [0.0084, 0, 0]], [0.45, [0.0084, 0, 0]],
        [0.85, [0.0044, 0, 0]])"),
                                  {R"(bodies.bar.pins.far.until=0.85)"});
    advance(*free_again, 1.6);
    if (show())
        fmt::print("E5: pulled to {:.5f}, left {:.5f} of {:.5f}\n", longest, gauge_strain(*free_again),
                   (1 + longest) / (1 + yields) - 1);
    // Stretches multiply: what is left is longest - yields in true strain.
    EXPECT_NEAR(gauge_strain(*free_again), (1 + longest) / (1 + yields) - 1, 0.01 * yields);
}

// Linear hardening: the stress grows by H per plastic strain p, so e = (yield + H p) / E + p, with strains that add up.
TEST(Plastic, HardenedBarKeepsLess) {
    const double yields = 0.01, ratio = 0.25; // yield / E, H / E
    const auto s =
        start(pulled_bar("[0, [0, 0, 0]], [0.2, [0.0084, 0, 0]], [0.22, [0.0084, 0, 0]], [0.4, [0.004, 0, 0]]",
                         R"("yield": 1e4, "hardening": 2.5e5)"),
              {"bodies.bar.pins.far.until=0.4"});
    advance(*s, 0.22);
    const double longest = gauge_strain(*s);
    advance(*s, 0.7);
    const double expected = (longest - yields) / (1 + ratio), found = gauge_strain(*s);
    if (show()) fmt::print("hardening: pulled to {:.5f}, left {:.5f} of {:.5f}\n", longest, found, expected);
    EXPECT_NEAR(found, expected, 0.03 * yields);
}

// Creep: the shear of the elastic strain fades at the rate c; in a bar that narrows freely, the stress s of a strain e
// follows s' = E e' - c s 2 (1 + nu) / 3. What has crept is left when the load is taken away.
TEST(Plastic, BarCreeps) {
    const double rate = 5, young = 1e6, nu = 0.3, step = 0.01;
    const auto s = start(pulled_bar("[0, [0, 0, 0]], [0.05, [0.004, 0, 0]], [0.25, [0.004, 0, 0]]", R"("creep": 5)"),
                         {"bodies.bar.pins.far.until=0.25"});
    double stress = 0, before = 0;
    for (int k = 1; k <= 25; ++k) {
        advance(*s, step * k);
        const double strain = gauge_strain(*s), kept = std::exp(-rate * 2 * (1 + nu) / 3 * step);
        stress = stress * kept + young * (strain - before) * std::sqrt(kept);
        before = strain;
    }
    const double expected = before - stress / young;
    double found = 0; // the bar swings about it
    for (int k = 0; k < 20; ++k) {
        advance(*s, 0.6 + step * k);
        found += gauge_strain(*s) / 20;
    }
    if (show()) fmt::print("creep: held at {:.5f}, left {:.5f} of {:.5f}\n", before, found, expected);
    EXPECT_NEAR(found, expected, 0.03 * before);
}

struct Bar {
    double length, radius; // radius of the foot
};

// E5: the Taylor bar, copper that hits a wall without friction at 227 m/s, after 80 us.
Bar taylor_bar(int across) {
    const double radius = 0.0032, length = 0.0324, dx = 2 * radius / across;
    const auto s = start(fmt::format(R"({{"duration": 1e-4, "fps": 1e5, "particle_radius": {},
        "solver": {{"pressure": "wcsph", "wcsph": {{"sound_speed": 1e-6}}, "min_time_step": 1e-10}},
        "bodies": {{"bar": {{"shape": {{"cylinder": {{"from": [0, 0, 0], "to": [0, {}, 0], "radius": {}}}}},
            "velocity": [0, -227, 0],
            "behaviors": {{"elastic": {{"density": 8930, "young_modulus": 117e9, "poisson_ratio": 0.35, "yield": 0.4e9,
                                      "hardening": 0.1e9, "friction": 0, "integration": "explicit"}}}}}},
          "wall": {{"shape": {{"box": {{"min": [-0.02, -0.01, -0.02], "max": [0.02, 0, 0.02]}}}}, "boundary": {{}}}}}}}})",
                                     dx / 2, length, radius));
    const Pool& pool = s->particles();
    Bar bar{};
    const auto measure = [&] {
        bar = {};
        for (const Vec3d& x : pool[pool.position]) {
            bar.length = std::max(bar.length, x.y + dx / 2);
            bar.radius = std::max(bar.radius, std::hypot(x.x, x.z) + dx / 2);
        }
    };
    std::vector<Curve> seen(2); // length, radius
    const auto look = every(1e-6, *s, [&] {
        measure();
        seen[0].emplace_back(1e6 * s->time(), 1e3 * bar.length),
            seen[1].emplace_back(1e6 * s->time(), 1e3 * bar.radius);
    });
    for (int k = 1; k <= 8; ++k) {
        advance(*s, 1e-5 * k, look);
        measure();
        if (show())
            fmt::print("{:.0f} us: {:.2f} mm long, {:.2f} mm radius, {} particles, {} steps\n", 1e6 * s->time(),
                       1e3 * bar.length, 1e3 * bar.radius, pool.size(), s->steps());
    }
    Figure figure("E5",
                  {.title = "E5: Taylor bar",
                   .subtitle = "copper, 227 m/s; others have these ends after 80 µs",
                   .panels = {{.title = "length", .x_label = "time [µs]", .y_label = "length [mm]"},
                              {.title = "radius of the foot", .x_label = "time [µs]", .y_label = "radius [mm]"}}});
    figure.measured("published", {{80, 21.4}}, 0);
    figure.measured("published", {{80, 7.0}, {80, 7.2}}, 1);
    figure.ours(fmt::format("{} across", across), seen);
    return bar;
}

// So coarse a bar is as long as it should be; its foot is one particle thick, and too narrow.
TEST(Plastic, TaylorBarHasItsLength) { EXPECT_NEAR(taylor_bar(6).length, 21.4e-3, 0.05 * 21.4e-3); }

TEST(PlasticLong, TaylorBar) {
    const Bar bar = taylor_bar(12);
    EXPECT_NEAR(bar.length, 21.4e-3, 0.05 * 21.4e-3);
    EXPECT_NEAR(bar.radius, 7.1e-3, 0.05 * 7.1e-3);
}

// A rod whose root is pulled away at a speed that is reached within the time of ten spacings.
Beam rod(double speed, const std::string& more_pins = "") {
    const double ramp = 0.1 / std::sqrt(1000.0);
    return {.length = 1,
            .height = 0.05,
            .across = 5,
            .young = 1e6,
            .poisson = 0,
            .elastic = R"(, "strength": 1e4, "damping": 0.00005)",
            .pin = fmt::format(R"(, "motion": {{"translation": {{"keys": [[0, [0, 0, 0]], [{}, [{}, 0, 0]],
                [{}, [{}, 0, 0]], [{}, [{}, 0, 0]], [1, [{}, 0, 0]]]}}}})",
                               ramp / 3, -speed * ramp / 18, ramp * 2 / 3, -speed * ramp * 4 / 18, ramp,
                               -speed * ramp / 2, -speed * (1 - ramp / 2)),
            .more_pins = more_pins};
}

// Where neighboring columns of particles have parted, by their place at rest; empty if nowhere.
std::vector<double> gaps(const Simulation& s, double spacing) {
    const Pool& pool = s.particles();
    std::map<long, std::pair<double, int>> columns;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        auto& [sum, count] = columns[std::lround(rest_of(s, i).x / spacing - 0.5)];
        sum += pool[pool.position][i].x - rest_of(s, i).x, ++count;
    }
    std::vector<double> found;
    const std::pair<double, int>* before = nullptr;
    for (const auto& [k, column] : columns) {
        const double u = column.first / column.second;
        if (before && u - before->first / before->second > 0.3 * spacing)
            found.push_back(spacing * static_cast<double>(k));
        before = &column;
    }
    return found;
}

const double critical = 1e4 / (1000 * std::sqrt(1000.0)); // strength / (density c)

TEST(Fracture, RodBreaksBeyondItsThreshold) {
    for (const double share : {0.9, 1.1}) {
        const Beam beam = rod(share * critical);
        const auto s = start(beam.scene());
        advance(*s, 0.06); // the wave has gone to the free end and back
        EXPECT_EQ(gaps(*s, beam.spacing()).empty(), share < 1) << "at " << share << " of the threshold";
    }
}

TEST(Fracture, HeldEndDoublesTheStress) {
    const Beam beam = rod(0.6 * critical, R"(, "far": {"shape": {"box": {"min": [0.97, -9, -9], "max": [9, 9, 9]}}})");
    const auto s = start(beam.scene());
    advance(*s, 0.055);
    const std::vector<double> where = gaps(*s, beam.spacing());
    ASSERT_FALSE(where.empty());
    for (const double x : where) EXPECT_GT(x, 0.8);
}

TEST(Fracture, PiecesKeepTheMomentum) {
    std::string text = rod(0).scene();
    const std::size_t pins = text.find("\"pins\""), end = text.find("\"behaviors\"", pins);
    text.erase(pins, end - pins);
    const auto s = start(text);
    const double middle = 0.48;
    set_velocities(*s, [&](const Vec3d& x) {
        return Vec3d{std::clamp((x.x - middle) / 0.03, -1.0, 1.0) * 1.3 * critical, 0, 0};
    });
    const double mass = total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
    advance(*s, 0.05);
    const std::vector<double> where = gaps(*s, 0.01);
    ASSERT_FALSE(where.empty());
    for (const double x : where) EXPECT_NEAR(x, middle, 0.06);
    EXPECT_LT(length(momentum(*s)), 1e-4 * mass * critical);
}

// Debris has too few bonds to tell its strain in all directions; it must not draw energy from that.
TEST(Fracture, DebrisGainsNoEnergy) {
    const auto s = start(R"({"duration": 1, "fps": 50, "particle_radius": 0.012, "behaviors": {"gravity": {}},
        "bodies": {
          "plate": {"shape": {"box": {"min": [-0.3, 0.3, -0.18], "max": [0.3, 0.348, 0.18]}},
            "behaviors": {"elastic": {"density": 1500, "young_modulus": 4e6, "poisson_ratio": 0.2, "strength": 6e4,
                                      "damping": 0.0005}}},
          "ball": {"shape": {"sphere": {"center": [0.03, 0.5, 0.02], "radius": 0.1}}, "velocity": [0, -3, 0],
            "behaviors": {"elastic": {"density": 6000, "young_modulus": 4e6}}},
          "supports": {"boundary": {"slip": "friction"}, "shape": {"union": [
            {"box": {"min": [-0.3, 0, -0.18], "max": [-0.22, 0.3, 0.18]}},
            {"box": {"min": [0.22, 0, -0.18], "max": [0.3, 0.3, 0.18]}}]}},
          "floor": {"shape": {"plane": {"size": 1}}, "boundary": {"slip": "friction"}}}})");
    const Pool& pool = s->particles();
    const auto energy = [&] {
        return kinetic_energy(*s) +
               total(*s, [&](std::size_t i) { return 9.81 * pool[pool.mass][i] * pool[pool.position][i].y; });
    };
    const double first = energy();
    for (int k = 1; k <= 15; ++k) {
        advance(*s, 0.02 * k);
        ASSERT_LT(energy(), first) << "at " << 0.02 * k << " s";
    }
    EXPECT_LT(energy(), 0.6 * first); // it did break, and the ball fell through
}

} // namespace
} // namespace loam::test
