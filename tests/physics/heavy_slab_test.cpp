// A heavy slab comes down on two lighter fluids: a pressure that is found too large throws the lightest away.
#include <gtest/gtest.h>

#include "every_solver.h"

namespace loam::test {
namespace {

struct Slab {
    double most = 0;     // the most energy that there is, over what it begins with
    double squeezed = 0; // energy of the compression at the start, by the speed of sound below, over the same
};

constexpr double slab_sound = 50; // [m/s]

Slab slab(const std::string& solver, double speed, double radius) {
    auto s = start(fmt::format(R"({{"dimensions": 2, "fps": 20, "particle_radius": {}, "behaviors": {{"gravity": {{}}}},
        "solver": {{{}, "volume_error": {}}}, "bodies": {{
        "heavy": {{"shape": {{"box": {{"min": [0, 0.3], "max": [0.6, 0.6]}}}}, "velocity": [0, {}],
                   "behaviors": {{"fluid": {{"density": 3000}}}}}},
        "middle": {{"shape": {{"box": {{"min": [0, 0], "max": [0.3, 0.3]}}}}, "behaviors": {{"fluid": {{}}}}}},
        "light": {{"shape": {{"box": {{"min": [0.3, 0], "max": [0.6, 0.3]}}}}, "behaviors": {{"fluid": {{"density": 300}}}}}},
        "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 0.8]}}, "invert": true}}, "boundary": {{}}}}}}}})",
                               radius, settings(solver), wanted_error(solver), -speed),
                   {fmt::format("solver.wcsph.sound_speed={}", slab_sound)}); // of wcsph alone
    const Pool& pool = s->particles();
    const double before = energy_of(*s);
    Slab found;
    found.squeezed = total(*s, [&](std::size_t i) {
        const double squeezed = std::max(0.0, pool[pool.density][i] - 1.0);
        return 0.5 * pool[pool.mass][i] * std::pow(slab_sound * squeezed, 2) / before;
    });
    for (double time : {0.02, 0.05, 0.1, 0.2, 0.3}) {
        advance(*s, time);
        found.most = std::max(found.most, energy_of(*s) / before);
    }
    if (std::getenv("LOAM_SHOW"))
        fmt::print("{}, {} m, {} m/s: {:.4f}, squeezed {:.4f}\n", solver, radius, speed, found.most, found.squeezed);
    return found;
}

class HeavySlab : public testing::TestWithParam<std::string> {};

TEST_P(HeavySlab, SinksIntoLighterFluids) { EXPECT_LT(slab(GetParam(), 0, 0.02).most, 1.01); }
TEST_P(HeavySlab, StrikesLighterFluids) {
    for (const double speed : {0.5, 1.0, 2.0}) EXPECT_LT(slab(GetParam(), speed, 0.02).most, 1.005);
}
// The tank is overfull at the start: rows of the three fluids lie in one another. Implicit solvers move them apart
// first. Explicit ones let go of the squeeze in steps of motion, which gets part of its energy and never more.
TEST_P(HeavySlab, OfAnUnevenLattice) {
    const bool moves_apart = GetParam() != "wcsph" && GetParam() != "carried";
    const double let_go = moves_apart ? 0 : GetParam() == "wcsph" ? 0.3 : 0.5; // at most, as found
    for (const double speed : {0.0, 1.0, 2.0}) {
        const Slab found = slab(GetParam(), speed, 0.0175);
        EXPECT_LT(found.most, 1.02 + let_go * found.squeezed) << speed;
    }
}
// Speeds that a correction brings make steps short, and must not be brought again in each of them. pbf does not find
// the pressure of so many layers that are struck harder at once.
TEST_P(HeavySlab, OfFineParticles) {
    const double hardest = GetParam() == "pbf" ? 1 : 3;
    for (double speed = 1; speed <= hardest; ++speed) EXPECT_LT(slab(GetParam(), speed, 0.01).most, 1.005);
}

INSTANTIATE_TEST_SUITE_P(Pressure, HeavySlab, testing::ValuesIn(solver_names()),
                         [](const auto& solver) { return solver.param; });

} // namespace
} // namespace loam::test
