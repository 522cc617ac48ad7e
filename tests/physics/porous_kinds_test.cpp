// Whatever has pores drinks, weighs what it has drunk, and lets it out again.
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

struct Kind {
    std::string name, shape, law;
    std::string hanging = {}; // shape, of what is flat: it drips at its lower end
};
const std::string block = R"("shape": {"box": {"min": [0.03, 0.041, 0.03], "max": [0.09, 0.071, 0.09]}})";
const std::string leaf = R"("shape": {"sheet": {"corner": [0.02, 0.046, 0.02], "u": [0.08, 0, 0], "v": [0, 0, 0.08]}})";
const std::string curtain =
    R"("shape": {"sheet": {"corner": [0.02, 0.046, 0.06], "u": [0.08, 0, 0], "v": [0, 0.08, 0]}})";

std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

class PorousKinds : public testing::TestWithParam<Kind> {
protected:
    // A bath, or a drop through the air to a floor far below.
    static std::string scene(const std::string& pores, double saturation, bool bath) {
        return fmt::format(R"({{"particle_radius": 0.005, "duration": 1, "fps": 20,
          "behaviors": {{"gravity": {{}}}},
          "bodies": {{
            "water": {{{} "behaviors": {{"fluid": {{}}, "viscosity": {{"viscosity": 0.02}}}}}},
            "body": {{{}, "saturation": {}, "behaviors": {{{}, "porous": {{{}}}}}}},
            "tank": {{"shape": {{"box": {{"min": [0, {}, 0], "max": [0.12, 0.2, 0.12]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                           bath ? R"("shape": {"box": {"min": [0, 0, 0], "max": [0.12, 0.04, 0.12]}},)" : "",
                           bath || GetParam().hanging.empty() ? GetParam().shape : GetParam().hanging, saturation,
                           GetParam().law, pores, bath ? 0 : -0.3);
    }
    static double mass(const Simulation& s) {
        const Pool& pool = s.particles();
        return total(s, [&](std::size_t i) { return pool[pool.body][i] == 1 ? pool[pool.mass][i] : 0; });
    }
};

TEST_P(PorousKinds, DrinksAndWeighsWhatItHasDrunk) {
    const auto s = start(scene(R"("porosity": 0.6, "permeability": 1e-9, "capillary": 3000)", 0, true));
    const double sum = kept(*s, "sum"), dry = mass(*s);
    advance(*s, 0.6);
    EXPECT_GT(kept(*s, "absorbed"), 0.3 * 0.6 * 1000 * dry / s->context().scene.bodies[1].density);
    EXPECT_NEAR(kept(*s, "sum") / sum, 1, 1e-9);
    EXPECT_NEAR(mass(*s), dry + kept(*s, "absorbed"), 1e-4 * mass(*s));
}

TEST_P(PorousKinds, LetsOutWhatItCannotHold) {
    const auto s = start(scene(R"("porosity": 0.6, "permeability": 1e-8, "capillary": 5, "filling": 2)", 1, false));
    const double sum = kept(*s, "sum");
    EXPECT_GT(sum, 0);
    EXPECT_EQ(kept(*s, "free"), 0);
    advance(*s, 0.5);
    EXPECT_NEAR(kept(*s, "sum") / sum, 1, 1e-9);
    EXPECT_GT(kept(*s, "free"), 0.1 * sum);
}

INSTANTIATE_TEST_SUITE_P(
    All, PorousKinds,
    testing::Values(Kind{"held", block, R"("rigid": {"density": 500, "held": true})"},
                    Kind{"rigid", block, R"("rigid": {"density": 500})"},
                    Kind{"elastic", block, R"("elastic": {"density": 300, "young_modulus": 2e4, "damping": 0.01})"},
                    Kind{"springs", block, R"("springs": {"density": 300})"},
                    Kind{"sand", block, R"("sand": {"density": 1600})"},
                    Kind{"grains", block, R"("grains": {"density": 1600})"},
                    Kind{"cloth", leaf, R"("cloth": {"density": 300, "thickness": 0.002})", curtain},
                    Kind{"shell", leaf, R"("shell": {"density": 300, "thickness": 0.002, "young_modulus": 1e5})",
                         curtain}),
    [](const auto& test) { return test.param.name; });

} // namespace
} // namespace loam::test
