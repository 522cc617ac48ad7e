// What is wet sticks: by bridges of water with a finite reach, and with the friction that they bring.
#include <gtest/gtest.h>

#include "exchanged.h"

namespace loam::test {
namespace {

double mean_height(const Simulation& s, std::uint32_t body) {
    const Pool& pool = s.particles();
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == body) sum += pool[pool.position][i].y, ++count;
    return sum / count;
}

// A cloth of 0.45 kg/m^2 that holds 0.84 kg/m^2 of water: 12.7 Pa in all.
std::string cloth_at(const std::string& wall, const std::string& sheet, double saturation, double adhesion) {
    return fmt::format(R"({{"particle_radius": 0.004, "duration": 1, "fps": 10, "behaviors": {{"gravity": {{}}}},
      "bodies": {{
        "cloth": {{"shape": {{"sheet": {}}}, "saturation": {},
          "behaviors": {{"cloth": {{"density": 300, "thickness": 0.0015, "young_modulus": 3e5, "friction": 0.5}},
                         "porous": {{"porosity": 0.7, "permeability": 1e-12,
                           "adhesion": {{"over": "saturation", "keys": [[0, 0], [0.8, {}]]}}}}}}}},
        "wall": {{"shape": {{"box": {}}}, "boundary": {{}}}}}}}})",
                       sheet, saturation, adhesion, wall);
}

TEST(WetAdhesion, BearsAWetClothUnderACeiling) {
    const auto fallen = [](double saturation, double adhesion, double gap) {
        const auto s = start(cloth_at(
            R"({"min": [-0.1, 0, -0.1], "max": [0.1, 0.03, 0.1]})",
            fmt::format(R"({{"corner": [-0.04, {}, -0.04], "u": [0.08, 0, 0], "v": [0, 0, 0.08]}})", -0.004 - gap),
            saturation, adhesion));
        const double before = mean_height(*s, 0);
        advance(*s, 0.2);
        return before - mean_height(*s, 0);
    };
    const double free_fall = 0.5 * 9.81 * 0.2 * 0.2;
    EXPECT_LT(fallen(0.8, 25, 0), 0.001) << "twice its weight holds it";
    EXPECT_NEAR(fallen(0, 25, 0), free_fall, 0.02 * free_fall) << "a dry one falls";
    EXPECT_GT(fallen(0.8, 8, 0), 0.8 * free_fall) << "less than its weight does not";
    EXPECT_NEAR(fallen(0.8, 25, 0.004), free_fall, 0.02 * free_fall) << "nor where bridges do not reach";
}

// Pressed on by adhesion a it has friction: held where mu a is more than its weight.
TEST(WetAdhesion, HoldsAWetClothAtAWall) {
    const auto slid = [](double saturation, double adhesion) {
        const auto s = start(cloth_at(R"({"min": [-0.1, -0.2, -0.03], "max": [0.1, 0.1, 0]})",
                                      R"({"corner": [-0.04, -0.04, 0.004], "u": [0.08, 0, 0], "v": [0, 0.08, 0]})",
                                      saturation, adhesion));
        const double before = mean_height(*s, 0);
        advance(*s, 0.2);
        return before - mean_height(*s, 0);
    };
    const double free_fall = 0.5 * 9.81 * 0.2 * 0.2;
    EXPECT_LT(slid(0.8, 40), 0.001);
    EXPECT_GT(slid(0, 40), 0.9 * free_fall);
    // mu a / weight = 0.39 of its fall is held back
    EXPECT_NEAR(slid(0.8, 10), 0.61 * free_fall, 0.06 * free_fall);
}

TEST(WetAdhesion, DrawsBothSidesAlike) {
    const auto s = start(R"({"particle_radius": 0.004, "duration": 1, "fps": 10,
      "bodies": {
        "wet": {"shape": {"box": {"min": [-0.032, -0.02, -0.02], "max": [0, 0.02, 0.02]}}, "saturation": 0.8,
          "behaviors": {"elastic": {"density": 300, "young_modulus": 2e4},
                        "porous": {"porosity": 0.7, "permeability": 1e-12, "adhesion": 30}}},
        "dry": {"shape": {"box": {"min": [0.0015, -0.02, -0.02], "max": [0.04, 0.02, 0.02]}},
          "behaviors": {"elastic": {"density": 300, "young_modulus": 2e4}}}}})");
    const auto gap = [&] {
        const Pool& pool = s->particles();
        double left = -1e9, right = 1e9;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const double x = pool[pool.position][i].x;
            if (pool[pool.body][i] == 0)
                left = std::max(left, x);
            else
                right = std::min(right, x);
        }
        return right - left;
    };
    const double before = gap();
    advance(*s, 0.15);
    EXPECT_LT(gap(), before - 0.001);
    const Pool& pool = s->particles();
    EXPECT_LT(length(momentum(*s)), 1e-5 * total(*s, [&](std::size_t i) { return pool[pool.mass][i]; }));
}

} // namespace
} // namespace loam::test
