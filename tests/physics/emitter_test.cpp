// Emitters: streams in the open, and mouths under water.
#include <algorithm>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// A tank of water, open at the top, and a spout in the middle of it that blows upwards.
std::unique_ptr<Simulation> spout(double speed, const std::string& solver = "dfsph") {
    return start(fmt::format(
        R"({{"dimensions": 2, "duration": 2, "fps": 20, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
            "solver": {{"pressure": "{}"}}, "bodies": {{
              "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 0.3]}}}}, "behaviors": {{"fluid": {{}}}},
                         "emitters": {{"spout": {{"shape": {{"disk": {{"center": [0.3, 0.1], "normal": [0, 1], "radius": 0.05}}}},
                                                "direction": [0, 1], "speed": {}}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 3]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        solver, speed));
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

// Its pressure is a force of the compression, so what is put among water must not count as compressed.
TEST(EmitterUnderWater, DoesNotBurstWithWcsph) {
    const auto s = spout(1, "wcsph");
    double fastest = 0;
    for (int frame = 1; frame <= 12; ++frame) {
        advance(*s, 0.05 * frame);
        fastest = std::max(fastest, s->particles().fastest());
    }
    if (std::getenv("LOAM_SHOW")) fmt::print("spout with wcsph: fastest {:.2f} m/s\n", fastest);
    EXPECT_LT(fastest, 7); // 8.5 m/s if it counts
}

// A jet without any force.
std::unique_ptr<Simulation> jet(const std::string& speed, const std::string& solver = "") {
    return start(fmt::format(
        R"({{"duration": 2, "fps": 20, "particle_radius": 0.01, "solver": {{{}}},
            "bodies": {{"water": {{"behaviors": {{"fluid": {{}}}}, "emitters": {{"jet": {{
              "shape": {{"disk": {{"center": [0, 0, 0], "normal": [1, 0, 0], "radius": 0.06}}}},
              "direction": [1, 0, 0], "speed": {}}}}}}}}}}})",
        solver, speed));
}

// Steps are as short as its speed asks for before there is anything that moves.
TEST(Jet, ThatOpensLateComesOutBitByBit) {
    const auto s = jet(R"(20, "start": 0.11)");
    while (s->particles().size() == 0) ASSERT_TRUE(s->step(2));
    for (const Vec3d& x : s->particles()[s->particles().position]) EXPECT_LT(x.x, 0.02);
}

std::vector<Vec3d> places(const Simulation& s) {
    const auto all = s.particles()[s.particles().position];
    std::vector<Vec3d> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(), [](const Vec3d& a, const Vec3d& b) { return a.x < b.x; });
    return sorted;
}

// As many in every half spacing, whereas layers would leave every other one empty; none nearer to another than a
// spacing.
TEST(Emitter, StreamsAreEven) {
    const auto s = jet("1");
    advance(*s, 0.5);
    const double spacing = s->context().spacing;
    const std::vector<Vec3d> all = places(*s);
    constexpr int slabs = 40;
    std::vector<std::size_t> count(slabs, 0);
    for (const Vec3d& x : all)
        if (const double slab = (x.x - 2 * spacing) / (0.5 * spacing); slab >= 0 && slab < slabs)
            ++count[static_cast<std::size_t>(slab)];
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    EXPECT_GT(static_cast<double>(*least), 0.8 * static_cast<double>(*most));
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size() && all[j].x - all[i].x < spacing; ++j)
            ASSERT_GT(length(all[j] - all[i]), 0.99 * spacing);
}

// Two particles side by side fill a square of two spacings, as one in the middle would not.
TEST(Emitter, NarrowOnesLetThroughWhatTheirAreaDoes) {
    const auto flow = [](const std::string& shape) {
        const auto s = start(R"({"particle_radius": 0.02, "fps": 10, "bodies": {"water": {"behaviors": {"fluid": {}},
            "emitters": {"jet": {"shape": )" +
                             shape + R"(, "direction": [0, -1, 0], "speed": 1}}}}})");
        advance(*s, 1);
        return static_cast<double>(s->particles().size()) * std::pow(0.04, 3);
    };
    EXPECT_NEAR(flow(R"({"box": {"min": [0, 0, 0], "max": [0.08, 0.1, 0.08]}})"), 0.08 * 0.08, 0.1 * 0.08 * 0.08);
    EXPECT_NEAR(flow(R"({"box": {"min": [0, 0, 0], "max": [0.12, 0.1, 0.08]}})"), 0.12 * 0.08, 0.1 * 0.12 * 0.08);
    EXPECT_NEAR(flow(R"({"disk": {"radius": 0.08}})"), 0.0201, 0.1 * 0.0201);
}

TEST(Emitter, DoesNotDependOnTheSteps) {
    const std::string slower = R"({"keys": [[0, 2], [0.4, 0.5]]})";
    const auto a = jet(slower, R"("max_time_step": 0.01)"), b = jet(slower, R"("max_time_step": 0.0033)");
    advance(*a, 0.4), advance(*b, 0.4);
    const std::vector<Vec3d> all = places(*a), others = places(*b);
    ASSERT_GT(all.size(), 500u);
    ASSERT_EQ(all.size(), others.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(all[i].x, others[i].x, 1e-5);
}

} // namespace
} // namespace loam::test
