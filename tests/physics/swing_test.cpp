// Ropes and sheets that hang and swing: half a zero of Bessel's J0 times sqrt(g / length) (D. Bernoulli 1733).
#include <numbers>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

struct Hanging {
    std::string name, law, values, width; // `width` as the sheet's v, nothing for a rope
    double length, radius;
};
void PrintTo(const Hanging& h, std::ostream* to) { *to << h.name; }

class Swing : public testing::TestWithParam<Hanging> {};

// Frequency over that of the reference. A quarter of a swing in each mode's own shape, so small that it stays linear.
double swing(const Hanging& body, int mode) {
    const double g = 9.81, zeros[]{2.404826, 5.520078}, zero = zeros[mode - 1];
    const double omega = 0.5 * zero * std::sqrt(g / body.length);
    const auto s = start(fmt::format(
        R"({{"duration": 100, "fps": 50, "particle_radius": {}, "behaviors": {{"gravity": {{}}}},
             "bodies": {{"body": {{"shape": {{"sheet": {{"u": [0, -{}, 0] {}}}}}, "behaviors": {{"{}": {{{}}}}},
             "pins": {{"top": {{"shape": {{"box": {{"min": [-9, -1e-6, -9], "max": [9, 9, 9]}}}}}}}}}}}}}})",
        body.radius, body.length, body.width, body.law, body.values));
    const Pool& pool = s->particles();
    advance(*s, 1); // until it has found its length
    double lowest = 0;
    for (const Vec3d& p : pool[pool.position]) lowest = std::min(lowest, p.y);
    const auto shape = [&](double y) { return std::cyl_bessel_j(0, zero * std::sqrt(std::max(0.0, 1 - y / lowest))); };
    set_velocities(*s, [&](const Vec3d& p) { return Vec3d{0.005 * body.length * omega * shape(p.y), 0, 0}; });
    std::vector<double> weight(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i)
        weight[pool[pool.id][i]] = pool[pool.mass][i] * shape(pool[pool.position][i].y);
    std::vector<double> crossings;
    double before = 0, last = 0;
    while (crossings.size() < 7) {
        const double time = s->time() + 0.08 / omega;
        advance(*s, time);
        double along = 0; // the mode
        for (std::size_t i = 0; i < pool.size(); ++i) along += weight[pool[pool.id][i]] * pool[pool.position][i].x;
        if (along * before < 0) crossings.push_back(last + (time - last) * before / (before - along));
        before = along, last = time;
    }
    const double found = 6 * std::numbers::pi / (crossings.back() - crossings.front());
    return found / (0.5 * zero * std::sqrt(-g / lowest));
}

TEST_P(Swing, HasItsFrequencies) {
    const Hanging& body = GetParam();
    for (const int mode : {1, 2}) {
        const double found = swing(body, mode);
        if (std::getenv("LOAM_SHOW")) fmt::print("{}, mode {}: {:.4f}\n", body.name, mode, found);
        EXPECT_NEAR(found, 1, 0.02) << mode;
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, Swing,
    testing::Values(
        Hanging{"SpringRope", "springs", R"("structural": 5e4, "density": 800, "thickness": 0.01)", "", 0.7, 0.015},
        Hanging{"SpringRopeDamped", "springs",
                R"("structural": 5e4, "density": 800, "thickness": 0.01, "structural_damping": 1)", "", 0.7, 0.015},
        Hanging{"ClothRope", "cloth", R"("young_modulus": 1e6, "thickness": 0.01)", "", 1.3, 0.025},
        Hanging{"SpringSheet", "springs", R"("structural": 2e3, "shear": 500, "flexion": 0)", R"(, "v": [0, 0, 0.2])",
                0.7, 0.015},
        Hanging{"SpringSheetWithFlexion", "springs", R"("structural": 2e3)", R"(, "v": [0, 0, 0.2])", 0.7, 0.015},
        Hanging{"ClothSheet", "cloth", R"("young_modulus": 1e6)", R"(, "v": [0, 0, 0.3])", 1, 0.02},
        Hanging{"ClothSheetImplicit", "cloth", R"("young_modulus": 1e6, "integration": "implicit")",
                R"(, "v": [0, 0, 0.3])", 1, 0.02},
        Hanging{"ClothSheetDamped", "cloth", R"("young_modulus": 1e6, "damping": 1)", R"(, "v": [0, 0, 0.3])", 1,
                0.02}),
    [](const auto& one) { return one.param.name; });

} // namespace
} // namespace loam::test
