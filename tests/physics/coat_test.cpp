// Fluid that comes out of the whole surface of a moving body: it stays covered.
#include <gtest/gtest.h>

#include "base/threads.h"
#include "exchanged.h"

namespace loam::test {
namespace {

// A cloth that leads paint, shaken hard while gravity takes the paint away.
std::string dress(const std::string& rate) {
    return R"({"particle_radius": 0.01, "duration": 1, "fps": 50, "behaviors": {"gravity": {}},
      "bodies": {
        "dress": {"shape": {"sheet": {"u": [0.3, 0, 0], "v": [0, 0.3, 0]}}, "behaviors": {"springs": {"structural": 300}},
                  "pins": {"all": {"shape": {"box": {"min": [-1, -1, -1], "max": [1, 1, 1]}},
                                   "motion": {"translation": {"keys": [[0, [0, 0, 0]], [0.1, [0, 0, 0.2]], [0.2, [0, 0, 0]], [0.3, [0, 0, 0.2]],
                                                                       [0.4, [0, 0, 0]]]}}}}},
        "paint": {"behaviors": {"fluid": {"density": 1200}, "viscosity": {"viscosity": 1},
                                "coat": {"on": "dress", "rate": )" +
           rate + R"(}, "control": {"by": "dress", "attraction": 100, "rate": 50}}}}})";
}

// The share of the body's particles that have fluid within a spacing.
double covered(const Simulation& s) {
    const Pool& pool = s.particles();
    double all = 0, wet = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (pool[pool.body][i] != 0) continue;
        ++all;
        for (std::size_t j = 0; j < pool.size(); ++j)
            if (pool[pool.body][j] == 1 && length(pool[pool.position][i] - pool[pool.position][j]) < 0.02) {
                ++wet;
                break;
            }
    }
    return wet / all;
}

TEST(Coat, KeepsAShakenDressCovered) {
    const auto s = start(dress("60"));
    EXPECT_EQ(covered(*s), 0);
    double least = 1;
    for (int frame = 5; frame <= 20; ++frame) advance(*s, 0.02 * frame), least = std::min(least, covered(*s));
    const double paint = total(*s, [&](std::size_t i) { return s->particles()[s->particles().body][i] == 1; });
    if (std::getenv("LOAM_SHOW")) fmt::print("covered {:.3f} at least, {} particles of paint\n", least, paint);
    EXPECT_GT(least, 0.9);
    EXPECT_LT(paint, 2000) << "and does not pour";
    for (std::size_t i = 0; i < s->particles().size(); ++i)
        ASSERT_LT(length(s->particles()[s->particles().velocity][i].xyz_double()), 20);
}

// What is born takes no part of another one's room.
TEST(Coat, CoversAWallThatMoves) {
    const auto s = start(R"({"particle_radius": 0.01, "duration": 1, "fps": 50,
      "bodies": {"ball": {"shape": {"sphere": {"radius": 0.1}}, "boundary": {"slip": "no", "motion": {"velocity": [1, 0, 0]}}},
                 "slime": {"behaviors": {"fluid": {}, "viscosity": {"viscosity": 5}, "coat": {"on": "ball", "rate": 50}}}}})");
    advance(*s, 0.2);
    const Pool& pool = s->particles();
    const double area = 4 * 3.14159 * 0.11 * 0.11 / (0.02 * 0.02);
    EXPECT_NEAR(static_cast<double>(pool.size()) / area, 0.9, 0.25);
    for (std::size_t i = 0; i < pool.size(); ++i) {
        EXPECT_NEAR(pool[pool.velocity][i].x, 1, 0.5);
        EXPECT_GT(length(pool[pool.position][i] - Vec3d{0.2, 0, 0}), 0.1);
    }
}

TEST(Coat, IsTheSameForAnyNumberOfThreadsAndAfterARestart) {
    const auto run = [](int threads, bool again) {
        return with_threads(threads, [&] {
            auto s = start(dress("60"));
            advance(*s, 0.06);
            if (again) {
                const Snapshot then = s->snapshot();
                s = start(dress("60"));
                EXPECT_TRUE(s->restore(then));
            }
            advance(*s, 0.12);
            std::vector<double> all;
            for (const Vec3d& x : s->particles()[s->particles().position]) all.insert(all.end(), {x.x, x.y, x.z});
            return all;
        });
    };
    const auto one = run(1, false);
    EXPECT_EQ(run(3, false), one);
    EXPECT_EQ(run(2, true), one);
}

TEST(Coat, SaysWhatIsWrong) {
    expect_error(dress("60"), {"bodies.paint.behaviors.coat.on=\"dres\""}, "did you mean \"dress\"?");
    expect_error(dress("60"), {"bodies.paint.behaviors.coat.on=\"paint\""}, "cannot be its own coat");
    expect_error(dress("-1"), {}, "bodies.paint.behaviors.coat.rate");
}

} // namespace
} // namespace loam::test
