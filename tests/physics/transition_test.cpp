// What keys turn into something else keeps its momentum and spin; and what is implicit goes on where it was saved.
#include <gtest/gtest.h>

#include "solid_scenes.h"

namespace loam::test {
namespace {

struct Motion {
    Vec3d linear, angular;
};

Motion motion_of(const Simulation& s) {
    const Pool& pool = s.particles();
    Motion sum;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const Vec3d p = static_cast<double>(pool[pool.mass][i]) * pool[pool.velocity][i].xyz_double();
        sum.linear += p;
        sum.angular += cross(pool[pool.position][i], p);
    }
    return sum;
}

// A block that flies and spins, made of what the behaviors say.
std::unique_ptr<Simulation> flying(const std::string& behaviors, const std::string& pressure) {
    auto s = start(fmt::format(R"({{"duration": 10, "fps": 100, "particle_radius": 0.02,
        "solver": {{"pressure": "{}"}},
        "bodies": {{"block": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.4, 0.24, 0.2]}}}},
            "behaviors": {{{}}}}}}}}})",
                               pressure, behaviors));
    set_velocities(*s, [](const Vec3d& x) {
        return cross(Vec3d{1, -0.5, 2}, x - Vec3d{0.2, 0.12, 0.1}) + Vec3d{0.3, 0.1, -0.2};
    });
    return s;
}

void expect_kept(const Simulation& s, const Motion& before, double angular) {
    const Motion after = motion_of(s);
    EXPECT_LT(length(after.linear - before.linear), 1e-4 * length(before.linear)) << "at " << s.time() << " s";
    EXPECT_LT(length(after.angular - before.angular), angular * length(before.angular)) << "at " << s.time() << " s";
}

std::string keyed(double first, double then, double last) {
    return fmt::format(R"("weight": {{"interpolation": "step", "keys": [[0, {}], [0.05, {}], [0.1, {}]]}})", first,
                       then, last);
}

class Transition : public testing::TestWithParam<const char*> {};

TEST_P(Transition, FluidToElasticToFluid) {
    const auto s = flying(
        fmt::format(R"("fluid": {{{}}}, "elastic": {{"young_modulus": 1e5, {}}})", keyed(1, 0, 1), keyed(0, 1, 0)),
        GetParam());
    const Motion before = motion_of(*s);
    for (const double time : {0.04, 0.06, 0.09, 0.11, 0.15}) {
        advance(*s, time);
        expect_kept(*s, before, 0.01);
    }
}

TEST_P(Transition, RigidToFluid) {
    const auto s =
        flying(fmt::format(R"("rigid": {{{}}}, "fluid": {{{}}})", keyed(1, 0, 0), keyed(0, 1, 1)), GetParam());
    const Motion before = motion_of(*s);
    for (const double time : {0.04, 0.06, 0.15}) {
        advance(*s, time);
        expect_kept(*s, before, 0.01);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Transition, testing::Values("dfsph", "wcsph"),
                         [](const auto& of) { return std::string(of.param); });

TEST(Transition, ElasticToPieces) {
    const auto s = flying(R"("elastic": {"young_modulus": 1e5, "strength": 4000, "friction": 0})", "wcsph");
    Pool& pool = s->particles();
    for (std::size_t i = 0; i < pool.size(); ++i) // torn apart in the middle
        pool[pool.velocity][i].x += pool[pool.position][i].x > 0.2 ? 1.5f : -1.5f;
    const Motion before = motion_of(*s);
    const auto parted = [&] {
        const auto moved = [&](bool left) {
            return displacement_of(*s, [&](const Vec3d& x) { return (x.x < 0.2) == left; });
        };
        return length(moved(false) - moved(true));
    };
    advance(*s, 0.1);
    expect_kept(*s, before, 1e-4);
    const double first = parted();
    EXPECT_GT(first, 0.04);
    advance(*s, 0.4);
    expect_kept(*s, before, 1e-4);
    EXPECT_GT(parted(), first + 0.01); // what is whole would swing back
}

// How far the parts left and right of a place have moved apart, by where they were at first.
struct Parts {
    std::vector<std::uint64_t> left, right;

    Parts(const Simulation& s, const std::function<bool(const Vec3d&)>& counts, double middle) {
        const Pool& pool = s.particles();
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (const Vec3d x = pool[pool.position][i]; counts(x))
                (x.x < middle ? left : right).push_back(pool[pool.id][i]);
    }
    double distance(const Simulation& s) const {
        const std::vector<Vec3d> at = positions_by_id(s);
        const auto mean = [&](const std::vector<std::uint64_t>& ids) {
            Vec3d sum;
            for (const std::uint64_t id : ids) sum += at[id];
            return sum / static_cast<double>(ids.size());
        };
        return mean(right).x - mean(left).x;
    }
};

// A sheet that breaks in two and flies up; what is above a height is elastic, so that row after row enters below the
// crack, or another body enters at once.
std::unique_ptr<Simulation> broken_sheet(const std::string& weights, const std::string& other) {
    auto s = start(fmt::format(R"({{"dimensions": 2, "duration": 10, "fps": 100, "particle_radius": 0.01,
        "solver": {{"pressure": "wcsph", "wcsph": {{"sound_speed": 20}}}},
        "bodies": {{"sheet": {{"shape": {{"box": {{"min": [0, 0, 0], "max": [0.4, 0.4, 0]}}}},
            "behaviors": {{"elastic": {{"young_modulus": 1e5, "strength": 3000, "friction": 0, "damping": 0.0005 {}}}}}}} {}}}}})",
                               weights, other));
    set_velocities(*s, [](const Vec3d& x) { return Vec3d{x.x < 0.2 ? -0.5 : 0.5, 0.8, 0}; });
    return s;
}

TEST(Transition, CracksStayWhenAnotherBodyEnters) {
    const auto s = broken_sheet("", R"(, "late": {"shape": {"box": {"min": [1, 0, 0], "max": [1.2, 0.2, 0]}},
        "behaviors": {"fluid": {"weight": {"interpolation": "step", "keys": [[0, 1], [0.15, 0]]}},
                      "elastic": {"young_modulus": 1e5, "weight": {"interpolation": "step", "keys": [[0, 0], [0.15, 1]]}}}})");
    const Parts parts(
        *s, [](const Vec3d& x) { return x.x < 0.5; }, 0.2);
    const double first = parts.distance(*s);
    advance(*s, 0.1);
    const double broken = parts.distance(*s);
    EXPECT_GT(broken, first + 0.05);
    advance(*s, 0.4);
    EXPECT_GT(parts.distance(*s), broken + 2.9 * (broken - first)); // they fly on
}

TEST(Transition, CracksStayWhenTheBodyGrows) {
    const auto s =
        broken_sheet(R"(, "weight": {"over": "height", "interpolation": "step", "keys": [[0, 0], [0.2, 1]]})", "");
    const Parts parts(
        *s, [](const Vec3d& x) { return x.y > 0.2; }, 0.2);
    const double first = parts.distance(*s);
    advance(*s, 0.05);
    const double broken = parts.distance(*s);
    EXPECT_GT(broken, first + 0.03);
    advance(*s, 0.25); // all have entered, and fly with their piece
    EXPECT_GT(parts.distance(*s), broken + 3.9 * (broken - first));
    advance(*s, 0.5);
    EXPECT_GT(parts.distance(*s), broken + 8.8 * (broken - first));
}

// An implicit solve begins from the step before: that has to be in a checkpoint too.
TEST(Transition, ImplicitBodiesGoOnBitByBit) {
    const std::string text = R"({"duration": 10, "fps": 100, "particle_radius": 0.02, "behaviors": {"gravity": {}},
        "bodies": {
          "block": {"shape": {"box": {"min": [0, 0.1, 0], "max": [0.4, 0.34, 0.2]}},
            "behaviors": {"elastic": {"young_modulus": 1e8, "integration": "implicit", "damping": 0.001}}},
          "water": {"shape": {"box": {"min": [-0.2, 0, -0.1], "max": [0.6, 0.08, 0.3]}}, "behaviors": {"fluid": {}}},
          "tank": {"shape": {"box": {"min": [-0.2, 0, -0.1], "max": [0.6, 1, 0.3]}, "invert": true}, "boundary": {}}}})";
    const auto whole = start(text), first = start(text), second = start(text);
    advance(*whole, 0.05);
    advance(*whole, 0.08);
    advance(*first, 0.05);
    copy_state(*first, *second);
    if (const Status timed = second->advance(0); !timed) FAIL() << timed.error().text();
    advance(*second, 0.08);
    EXPECT_EQ(positions_by_id(*whole), positions_by_id(*second));
}

} // namespace
} // namespace loam::test
