// Clamped beams and shells held to beam theory: a pin holds up to the face of the last particle that it holds.
#include <gtest/gtest.h>

#include "solid_scenes.h"

namespace loam::test {
namespace {

// Of a cantilever in plane strain under its own weight, with shear (Timoshenko 1921, 5/6 of the area).
double sag(const Beam& beam) {
    const double nu = beam.poisson, load = 1000 * beam.gravity * beam.height, l = beam.length;
    const double bending = beam.young / (1 - nu * nu) * std::pow(beam.height, 3) / 12;
    const double shear = 5.0 / 6 * beam.young / (2 * (1 + nu)) * beam.height;
    return load * std::pow(l, 4) / (8 * bending) + load * l * l / (2 * shear);
}
double period(const Beam& beam) { // of a thin one
    const double nu = beam.poisson, k = 1.8751 / beam.length;
    return 2 * M_PI / (k * k * std::sqrt(beam.young * beam.height * beam.height / (12 * 1000 * (1 - nu * nu))));
}

double sag_found(Beam beam) { // over theory's
    const double time = period(beam);
    beam.integration = "implicit";
    beam.elastic += fmt::format(R"(, "damping": {})", 0.25 * time / M_PI);
    beam.solver += fmt::format(R"(, "max_time_step": {})", time / 40);
    beam.gravity = 0.01 * beam.length / sag(beam); // small
    const auto s = start(beam.scene());
    advance(*s, 3 * time);
    return -beam.tip(*s).y / sag(beam);
}

TEST(Clamp, BeamsSagByTheirFreeLength) {
    struct Case {
        int across;
        double slender, poisson;
    };
    for (const auto& [across, slender, poisson] :
         {Case{4, 5, 0.3}, Case{4, 9, 0.3}, Case{4, 7, 0}, Case{4, 7, 0.42}, Case{6, 7, 0.2}, Case{8, 5, 0.35}}) {
        const double found = sag_found({.length = slender * 0.06,
                                        .height = 0.06,
                                        .across = across,
                                        .young = 5e5,
                                        .poisson = poisson,
                                        .gravity = 1});
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{} across, {} long, Poisson {}: {:.4f}\n", across, slender, poisson, found);
        EXPECT_NEAR(found, 1, 0.025) << across << ", " << slender << ", " << poisson;
    }
}

// A pin that ends within a cell holds up to the face of the particle whose center it holds.
TEST(Clamp, EndsAtTheFaceOfTheLastParticle) {
    Beam beam{.length = 0.5, .height = 0.08, .across = 4, .young = 5e5, .poisson = 0.3, .gravity = 1};
    const double whole = sag_found(beam);
    for (const double end : {-0.004, 0.006}) { // centers are at -0.01 and 0.01
        beam.more_pins =
            fmt::format(R"(, "more": {{"shape": {{"box": {{"min": [-9, -9, -9], "max": [{}, 9, 9]}}}}}})", end);
        EXPECT_NEAR(sag_found(beam), whole, 1e-3 * whole) << end;
    }
    beam.more_pins = R"(, "more": {"shape": {"box": {"min": [-9, -9, -9], "max": [0.013, 9, 9]}}})";
    EXPECT_NEAR(sag_found(beam) / whole, std::pow(0.48 / 0.5, 4), 0.01); // a spacing shorter
}

// What is held turns with its pin, and the rest with it, without strain.
TEST(Clamp, TurnsWithItsPin) {
    for (const std::string integration : {"explicit", "implicit"}) {
        const Beam beam{.length = 0.3,
                        .height = 0.1,
                        .across = 5,
                        .young = 1e6,
                        .poisson = 0.3,
                        .integration = integration,
                        .elastic = R"(, "damping": 0.005)",
                        .pin = R"(, "motion": {"angle": {"keys": [[0, 0], [1, 90]], "interpolation": "smooth"}})"};
        const auto s = start(beam.scene());
        advance(*s, 2);
        const Pool& pool = s->particles();
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const Vec3d rest = rest_of(*s, i);
            EXPECT_LT(length(pool[pool.position][i] - Vec3d{-rest.y, rest.x, 0}), 1e-4) << integration;
        }
    }
}

// Bonds are whole again where a pin lets go: the bar flies off as it is.
TEST(Clamp, LetsGo) {
    const Beam beam{.length = 0.3,
                    .height = 0.1,
                    .across = 5,
                    .young = 1e6,
                    .poisson = 0.3,
                    .pin = R"(, "motion": {"velocity": [0.5, 0, 0]}, "until": 0.05)"};
    const auto s = start(beam.scene());
    set_velocities(*s, [](const Vec3d&) { return Vec3d{0.5, 0, 0}; });
    advance(*s, 0.3);
    const Pool& pool = s->particles();
    for (std::size_t i = 0; i < pool.size(); ++i)
        EXPECT_LT(length(pool[pool.position][i] - rest_of(*s, i) - Vec3d{0.15, 0, 0}), 1e-5);
}

TEST(Clamp, GoesOnBitByBit) {
    for (const std::string integration : {"explicit", "implicit"}) {
        const Beam beam{.length = 0.3,
                        .height = 0.1,
                        .across = 5,
                        .young = 1e5,
                        .poisson = 0.3,
                        .gravity = 5,
                        .integration = integration,
                        .pin = R"(, "motion": {"turns_per_second": 0.5}, "until": 0.15)"};
        const auto whole = start(beam.scene()), first = start(beam.scene()), second = start(beam.scene());
        for (const double time : {0.1, 0.2}) advance(*whole, time);
        advance(*first, 0.1);
        copy_state(*first, *second);
        advance(*second, 0.2);
        EXPECT_EQ(positions_by_id(*whole), positions_by_id(*second)) << integration;
    }
}

// A strip of a shell whose first rows are held, and hangs out by a length from the last of them.
struct Strip {
    double length, width, spacing, thickness, young;
    int held; // rows
    std::string integration;
    double gravity = 1;

    static constexpr double density = 800;
    std::string scene() const {
        const double more = (held - 1) * spacing;
        const double inertia = density * 12 / (young * thickness * thickness); // 1 / stiffness of a thin beam
        const double time = 2 * M_PI * std::sqrt(inertia) * std::pow(length / 1.8751, 2);
        return fmt::format(R"({{"duration": 100, "fps": 25, "particle_radius": {},
            "behaviors": {{"gravity": {{"acceleration": [0, -{}, 0]}}}},
            "bodies": {{"strip": {{"shape": {{"sheet": {{"corner": [-{}, 0, 0], "u": [{}, 0, 0], "v": [0, 0, {}]}}}},
                "behaviors": {{"shell": {{"young_modulus": {}, "poisson_ratio": 0, "thickness": {}, "density": {},
                    "damping": {}, "integration": "{}"}}}},
                "pins": {{"root": {{"shape": {{"box": {{"min": [-9, -9, -9], "max": [1e-6, 9, 9]}}}}}}}}}}}}}})",
                           0.5 * spacing, gravity, more, length + more, width, young, thickness, density,
                           0.3 * time / M_PI, integration);
    }
    double sag() const { return density * gravity * std::pow(length, 4) * 12 / (8 * young * thickness * thickness); }
    double found(const Simulation& s) const {
        double end = -1e9, y = 0, count = 0;
        for (const Vec3d& p : s.particles()[s.particles().position]) end = std::max(end, p.x);
        for (const Vec3d& p : s.particles()[s.particles().position])
            if (p.x > end - 0.3 * spacing) y += p.y, count += 1;
        return -y / count / sag();
    }
};

TEST(Clamp, ShellsSagFromTheLastRow) {
    for (Strip strip :
         {Strip{0.4, 0.1, 0.02, 0.004, 1e8, 2, "explicit"}, Strip{0.4, 0.1, 0.02, 0.004, 1e8, 2, "implicit"},
          Strip{0.24, 0.12, 0.03, 0.004, 3e7, 3, "implicit"}}) {
        strip.gravity = 0.01 * strip.length / strip.sag();
        const auto s = start(strip.scene());
        advance(*s, 3);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("{} long, {}: {:.4f} in {} steps\n", strip.length, strip.integration, strip.found(*s),
                       s->steps());
        EXPECT_NEAR(strip.found(*s), 1, 0.02) << strip.length << ", " << strip.integration;
    }
}

// 198 particles of sheet metal bend within steps of the scene, not of their waves (some 10^5 substeps in a second).
TEST(ShellWork, SlowBendTakesFewSteps) {
    Strip strip{0.4, 0.16, 0.02, 0.001, 7e10, 2, "automatic"};
    strip.gravity = 0.01 * strip.length / strip.sag();
    const auto s = start(strip.scene());
    ASSERT_EQ(s->particles().size(), 198u);
    advance(*s, 2);
    if (std::getenv("LOAM_SHOW")) fmt::print("sag {:.4f} in {} steps\n", strip.found(*s), s->steps());
    EXPECT_LT(s->steps(), 1000u);
    EXPECT_NEAR(strip.found(*s), 1, 0.02);
}

} // namespace
} // namespace loam::test
