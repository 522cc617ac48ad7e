// R5: an elastic plate, clamped at both ends, under water.
#include <gtest/gtest.h>

#include "figure.h"
#include "solid_scenes.h"

namespace loam::test {
namespace {

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

struct Plate {
    int layers;
    double young, depth, density; // of the plate; of the water
    double damping, until;
    double viscosity = 1; // of the water: rows of its lattice that slip under pressure would ring on
    double thickness = 0.05, poisson = 0.3, plate_density = 2700;

    double spacing() const { return thickness / layers; }
    // Of a thin plate, one metre from clamp to clamp, in plane strain: q L^4 / (384 D)
    double deflection() const {
        const double stiffness = young * std::pow(thickness, 3) / (12 * (1 - poisson * poisson));
        return 0.0026 * 9.81 * (depth * density + thickness * plate_density) / stiffness;
    }
    std::string scene() const {
        const double clamped = 4 * spacing();
        return fmt::format(R"({{"dimensions": 2, "duration": 10, "fps": 100, "particle_radius": {0},
            "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "plate": {{"shape": {{"box": {{"min": [-{1}, -{2}], "max": [{3}, 0]}}}},
                "pins": {{"left": {{"shape": {{"box": {{"min": [-9, -9, -9], "max": [0, 9, 9]}}}}}},
                         "right": {{"shape": {{"box": {{"min": [1, -9, -9], "max": [9, 9, 9]}}}}}}}},
                "behaviors": {{"elastic": {{"density": {4}, "young_modulus": {5}, "poisson_ratio": {6},
                                          "damping": {7}, "integration": "implicit"}}}}}},
              "water": {{"shape": {{"box": {{"min": [0, 0], "max": [1, {8}]}}}},
                         "behaviors": {{"fluid": {{"density": {9}}}, "viscosity": {{"viscosity": {11}}}}}}},
              "walls": {{"boundary": {{}}, "shape": {{"union": [
                {{"box": {{"min": [-0.2, 0], "max": [0, {10}]}}}}, {{"box": {{"min": [1, 0], "max": [1.2, {10}]}}}}]}}}}}}}})",
                           spacing() / 2, clamped, thickness, 1 + clamped, plate_density, young, poisson, damping,
                           depth, density, 1.3 * depth, viscosity);
    }
};

double lowest_water(const Simulation& s) {
    const Pool& pool = s.particles();
    double lowest = 1e300;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (s.scene().bodies[pool[pool.body][i]].name == "water") lowest = std::min(lowest, pool[pool.position][i].y);
    return lowest;
}

// The mean over the last part of the run, while what is left of the start's swing dies away.
double sag_of(const Plate& plate, const std::string& figure_name) {
    const auto s = start(plate.scene());
    constexpr int frames = 20, counted = 5;
    double sum = 0;
    const auto middle = [&](const Vec3d& x) {
        return std::abs(x.x - 0.5) < 0.6 * plate.spacing() && x.y < 0 && x.y > -plate.thickness;
    };
    Curve sags{{0, 0}};
    const auto look = every(plate.until / 200, *s, [&] {
        sags.emplace_back(1000 * s->time(), -displacement_of(*s, middle).y / plate.deflection());
    });
    for (int k = 1; k <= frames; ++k) {
        advance(*s, plate.until * k / frames, look);
        const double sag = -displacement_of(*s, middle).y;
        if (k > frames - counted) sum += sag;
        if (show())
            fmt::print("t {:.3f}: {:.4e} of {:.4e} m ({:+.1f} %), {} steps, {} particles\n", s->time(), sag,
                       plate.deflection(), 100 * (sag / plate.deflection() - 1), s->steps(), s->particles().size());
    }
    EXPECT_NEAR(lowest_water(*s), 0.5 * plate.spacing() - sum / counted, 0.3 * plate.spacing()) << "it sinks in";
    Figure figure(figure_name,
                  {.title = "R5: plate under water",
                   .subtitle = fmt::format("E = {:g} GPa, water {:g} m deep", 1e-9 * plate.young, plate.depth),
                   .panels = {{.x_label = "time [ms]", .y_label = "sag / sag of a thin plate"}}});
    figure.exact("thin plate", {{0, 1}, {1000 * plate.until, 1}});
    figure.ours(fmt::format("{} layers", plate.layers), {sags});
    return sum / counted;
}

// A hundred times as soft, and heavy water of a fifth of the depth: the same load over a smaller stiffness. In one step
// the outermost particles alone would give way by more than fluid is pushed back at once; the water ran through.
TEST(PlateUnderWater, SagsAsItShould) {
    const Plate plate{.layers = 3, .young = 67.5e7, .depth = 0.4, .density = 5000, .damping = 0.03, .until = 0.15};
    EXPECT_NEAR(sag_of(plate, "R5-soft"), plate.deflection(), 0.15 * plate.deflection()); // as far off as others are
}

Plate published(int layers) {
    return {.layers = layers,
            .young = 67.5e9,
            .depth = 2,
            .density = 1000,
            .damping = 0.001,
            .until = 0.05,
            .viscosity = 100};
}

// Steps are twenty times shorter than the water would take them: its pressure has to be solved for all the same.
TEST(PlateUnderWaterLong, SagsAsPublished) {
    const Plate plate = published(3);
    EXPECT_NEAR(sag_of(plate, "R5"), plate.deflection(), 0.15 * plate.deflection());
}

TEST(PlateUnderWaterLong, SagsAsPublishedWithFiveLayers) {
    const Plate plate = published(5);
    EXPECT_NEAR(sag_of(plate, "R5"), plate.deflection(), 0.15 * plate.deflection());
}

} // namespace
} // namespace loam::test
