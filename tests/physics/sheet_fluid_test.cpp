// One layer holds water: no particle is ever on the other side of a shell or a cloth.
#include <gtest/gtest.h>

#include "behaviors/sheets/barrier.h"
#include "run_scene.h"
#include "scene/sheets.h"

namespace loam::test {
namespace {

// How often the straight way between two places crosses the sheet of the first body.
int crossings(const Vec3d& from, const Vec3d& to, const BodySheet& sheet, const std::vector<Vec3d>& at) {
    const Vec3d still[3]{};
    int count = 0;
    for (const Triangle& t : sheet.sheet->triangles) {
        const Vec3d corners[3]{at[t[0]], at[t[1]], at[t[2]]};
        count += find_crossing(from, to - from, corners, still).time <= 1;
    }
    return count;
}

// Particles of the fluid from which the way to a place on its side is barred.
std::size_t on_the_wrong_side(const Simulation& s, const Vec3d& right_side) {
    const BodySheet sheet = sheets_of(s.scene())[0];
    const Pool& pool = s.particles();
    std::vector<Vec3d> at(sheet.sheet->points.size());
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 0) at[pool[pool.id][i] - sheet.first_id] = pool[pool.position][i];
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        wrong += pool[pool.body][i] == 1 && crossings(pool[pool.position][i], right_side, sheet, at) % 2 != 0;
    return wrong;
}

TEST(Bowl, HoldsItsWater) {
    const auto s = start(R"({"duration": 1, "fps": 25, "particle_radius": 0.02, "behaviors": {"gravity": {}},
        "bodies": {
          "bowl": {"shape": {"dome": {"center": [0, 0, 0], "radius": 0.35, "angle": 90}},
                   "pins": {"rim": {"shape": {"box": {"min": [-1, -0.05, -1], "max": [1, 1, 1]}}}},
                   "behaviors": {"shell": {"density": 1200, "thickness": 0.004, "young_modulus": 5e5, "damping": 0.3}}},
          "water": {"shape": {"intersection": [{"sphere": {"center": [0, 0, 0], "radius": 0.31}},
                                               {"box": {"min": [-1, -1, -1], "max": [1, -0.1, 1]}}]},
                    "velocity": [0, -1, 0], "behaviors": {"fluid": {"density": 1000}}}}})");
    ASSERT_EQ(on_the_wrong_side(*s, {0, 0.5, 0}), 0u);
    advance(*s, 0.4);
    EXPECT_EQ(on_the_wrong_side(*s, {0, 0.5, 0}), 0u);
    EXPECT_EQ(s->take_report().died, 0u);
}

// Fast, on a light and stretchy cloth.
TEST(JetOnCloth, DoesNotPass) {
    const auto s = start(R"({"duration": 1, "fps": 25, "particle_radius": 0.02, "behaviors": {"gravity": {}},
        "bodies": {
          "cloth": {"shape": {"sheet": {"corner": [0, -0.6, -0.6], "u": [0, 0, 1.2], "v": [0, 1.2, 0]}},
                    "pins": {"top": {"shape": {"box": {"min": [-1, 0.58, -1], "max": [1, 1, 1]}}}},
                    "behaviors": {"cloth": {"density": 400, "thickness": 0.002, "young_modulus": 2e5, "damping": 0.5}}},
          "water": {"behaviors": {"fluid": {"density": 1000}},
                    "emitters": {"nozzle": {"shape": {"disk": {"center": [-0.4, 0, 0], "normal": [1, 0, 0],
                                                               "radius": 0.1}}, "direction": [1, 0, 0], "speed": 6}}}}})");
    advance(*s, 0.3);
    const Pool& pool = s->particles();
    double farthest = 0, water = 0;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        if (pool[pool.body][i] == 0) farthest = std::max(farthest, pool[pool.position][i].x);
        water += pool[pool.body][i] == 1;
    }
    EXPECT_GT(water, 300);
    EXPECT_GT(farthest, 0.1); // it is pushed away
    EXPECT_EQ(on_the_wrong_side(*s, {-0.5, 0, 0}), 0u);
}

} // namespace
} // namespace loam::test
