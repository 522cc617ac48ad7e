// Emitters whose mouth is under water.
#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// A tank of water, open at the top, and a spout in the middle of it that blows upwards.
std::unique_ptr<Simulation> spout(double speed) {
    return start(fmt::format(
        R"({{"dimensions": 2, "duration": 2, "fps": 20, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 0.3]}}}}, "behaviors": {{"fluid": {{}}}},
                         "emitters": {{"spout": {{"shape": {{"disk": {{"center": [0.3, 0.1], "normal": [0, 1], "radius": 0.05}}}},
                                                "direction": [0, 1], "speed": {}}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 3]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        speed));
}

// Nothing that comes out is faster than what goes in and what that lifts, though each layer is put among water.
TEST(EmitterUnderWater, LiftsWaterAndDoesNotBlowItApart) {
    const double speed = 1;
    const auto s = spout(speed);
    const std::size_t before = s->particles().size();
    double highest = 0, fastest = 0;
    for (int frame = 1; frame <= 20; ++frame) {
        advance(*s, 0.05 * frame);
        const Pool& pool = s->particles();
        fastest = std::max(fastest, pool.fastest());
        for (const Vec3d& x : pool[pool.position]) highest = std::max(highest, x.y);
    }
    const auto born = static_cast<double>(s->particles().size() - before), carried = speed * 1 * 0.1 / (0.02 * 0.02);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("spout: {} born of {}, fastest {:.2f} m/s, highest {:.2f} m\n", born, carried, fastest, highest);
    EXPECT_GT(born, 0.3 * carried); // it pushes its way
    EXPECT_LT(born, 1.1 * carried);
    EXPECT_LT(fastest, 2 * speed);
    EXPECT_LT(highest, 0.3 + born * 0.02 * 0.02 / 0.6 + 0.3);
}

} // namespace
} // namespace loam::test
