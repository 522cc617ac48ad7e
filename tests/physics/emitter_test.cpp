// Emitters: streams in the open, and mouths under water.
#include <algorithm>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

// A tank of water, open at the top, and a spout in the middle of it that blows upwards.
std::unique_ptr<Simulation> spout(const std::string& solver, const std::string& more = "", bool smooth = false) {
    return start(fmt::format(
        R"({{"dimensions": 2, "duration": 2, "fps": 20, "particle_radius": 0.01, "behaviors": {{"gravity": {{}}}},
            "solver": {{"pressure": "{}", "smooth_weight": {}}}, "bodies": {{{}
              "water": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 0.3]}}}}, "behaviors": {{"fluid": {{}}}},
                         "emitters": {{"spout": {{"shape": {{"disk": {{"center": [0.3, 0.1], "normal": [0, 1], "radius": 0.05}}}},
                                                "direction": [0, 1], "speed": 1}}}}}},
              "tank": {{"shape": {{"box": {{"min": [0, 0], "max": [0.6, 3]}}, "invert": true}}, "boundary": {{}}}}}}}})",
        solver, smooth, more));
}

// Nothing that comes out is much faster than what goes in, though each layer is put among water, and the tank fills by
// what was born: nothing piles up.
void fill_from_below(Simulation& s, const std::string& name) {
    const std::size_t before = s.particles().size();
    double fastest = 0;
    for (int frame = 1; frame <= 30; ++frame) {
        advance(s, 0.05 * frame);
        fastest = std::max(fastest, s.particles().fastest());
    }
    const Pool& pool = s.particles();
    const auto count = static_cast<double>(pool.size()), born = count - static_cast<double>(before);
    double height = 0; // on average
    for (const Vec3d& x : pool[pool.position]) height += x.y / count;
    const double full = 0.5 * count * 0.02 * 0.02 / 0.6;
    if (std::getenv("LOAM_SHOW"))
        fmt::print("spout, {}: {} born, fastest {:.2f} m/s, {:.3f} of its height\n", name, born, fastest,
                   height / full);
    EXPECT_NEAR(born, 1.5 * 0.1 / (0.02 * 0.02), 5);
    EXPECT_LT(fastest, 3);
    EXPECT_NEAR(height, full, 0.05 * full);
}

class EmitterUnderWater : public testing::TestWithParam<const char*> {};

TEST_P(EmitterUnderWater, FillsTheTankAndDoesNotBlowItApart) {
    const auto s = spout(GetParam());
    fill_from_below(*s, GetParam());
}

const char* const boat = R"("boat": {"shape": {"box": {"min": [0.1, 0.3], "max": [0.2, 0.36]}},
                                     "behaviors": {"rigid": {"density": 500}}},)";

TEST(EmitterUnderABoat, FillsTheTank) {
    const auto s = spout("dfsph", boat);
    fill_from_below(*s, "with a boat");
}
// Weight that does not act between particles does not press them together; see WeightPressure::find_packing().
TEST(EmitterUnderABoat, FillsTheTankUnderSmoothWeight) {
    const auto s = spout("dfsph", boat, true);
    fill_from_below(*s, "with a boat, smooth weight");
}

INSTANTIATE_TEST_SUITE_P(All, EmitterUnderWater, testing::Values("wcsph", "dfsph", "iisph", "pcisph", "pbf"));

// A jet without any force.
std::unique_ptr<Simulation> jet(const std::string& speed, const std::string& solver = "") {
    return start(fmt::format(
        R"({{"duration": 2, "fps": 20, "particle_radius": 0.01, "solver": {{{}}},
            "bodies": {{"water": {{"behaviors": {{"fluid": {{}}}}, "emitters": {{"jet": {{
              "shape": {{"disk": {{"center": [0, 0, 0], "normal": [1, 0, 0], "radius": 0.06}}}},
              "direction": [1, 0, 0], "speed": {}}}}}}}}}}})",
        solver, speed));
}

// Drops that hang around in its mouth are swept along. What they scatter must not scatter what is born after it.
class EmitterInAMess : public testing::TestWithParam<const char*> {};

TEST_P(EmitterInAMess, SweepsItsMouth) {
    const auto s = start(fmt::format(
        R"({{"duration": 2, "fps": 20, "particle_radius": 0.01, "solver": {{"pressure": "{}"}}, "bodies": {{
              "mess": {{"shape": {{"box": {{"min": [-0.02, -0.02, -0.02], "max": [0.04, 0.04, 0.04]}}}}, "behaviors": {{"fluid": {{}}}}}},
              "water": {{"behaviors": {{"fluid": {{}}}}, "emitters": {{"jet": {{
                "shape": {{"disk": {{"center": [0, 0, 0], "normal": [1, 0, 0], "radius": 0.08}}}},
                "direction": [1, 0, 0], "speed": 3}}}}}}}}}})",
        GetParam()));
    const std::size_t before = s->particles().size();
    advance(*s, 0.3);
    const Pool& pool = s->particles();
    const double way = 3 * 0.3, born = static_cast<double>(pool.size() - before);
    int inside = 0, scattered = 0;
    for (const Vec3d& x : pool[pool.position])
        if (x.x < 0.4) // what was born in the last tenth of a second and more
            ++(std::hypot(x.y, x.z) < 0.1 && x.x > -0.02 ? inside : scattered);
    if (std::getenv("LOAM_SHOW")) fmt::print("mess, {}: {} in the jet, {} beside it\n", GetParam(), inside, scattered);
    EXPECT_NEAR(inside, 0.4 / way * born, 0.05 * inside);
    EXPECT_LE(scattered, 20);
}

INSTANTIATE_TEST_SUITE_P(All, EmitterInAMess, testing::Values("wcsph", "dfsph", "iisph", "pcisph", "pbf"));

// Steps are as short as its speed asks for before there is anything that moves.
TEST(Jet, ThatOpensLateComesOutBitByBit) {
    for (const char* start : {"0.11", "0.1", "0"}) { // the second one at the end of a frame
        const auto s = jet(fmt::format(R"(20, "start": {})", start));
        while (s->particles().size() < 5) ASSERT_TRUE(s->step(2));
        for (const Vec3d& x : s->particles()[s->particles().position]) EXPECT_LT(x.x, 0.05) << start;
    }
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
    const double spacing = s->context().scene.spacing;
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
    for (const double radius : {0.07, 0.08, 0.091, 0.11, 0.13, 0.15}) {
        const double area = 3.1416 * radius * radius;
        EXPECT_NEAR(flow(fmt::format(R"({{"disk": {{"radius": {}}}}})", radius)), area, 0.1 * area) << radius;
    }
}

// Neither what is born at rest nor what is born slowly is led: gravity takes it.
TEST(Emitter, LeavesNothingInTheAirWhenItsSpeedIsKeyedFromAndToRest) {
    const auto s = start(R"({"dimensions": 2, "particle_radius": 0.02, "fps": 10, "behaviors": {"gravity": {}},
        "bodies": {"water": {"behaviors": {"fluid": {}}, "emitters": {"tap": {
            "shape": {"box": {"min": [0, 0], "max": [0.2, 0.04]}}, "direction": [0, 1, 0],
            "speed": {"keys": [[0, 0], [0.3, 1], [0.6, 0]]}}}}}})");
    advance(*s, 1.3);
    ASSERT_GT(s->particles().size(), 20u);
    for (const Vec3d& x : s->particles()[s->particles().position]) EXPECT_LT(x.y, -0.5);
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
