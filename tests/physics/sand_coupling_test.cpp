// Sand together with everything else: bodies fall into it, blades push it, cloth and jelly bear it, emitters and drains
// make and take it, and keys turn it to water, to honey and back. All in 2D.
#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double spacing = 0.02;

bool show() { return std::getenv("LOAM_SHOW") != nullptr; }

std::string scene(const std::string& bodies, const std::string& more = "") {
    return fmt::format(
        R"({{"dimensions": 2, "duration": 20, "fps": 25, "particle_radius": 0.01, {} "behaviors": {{"gravity": {{}}}}, "bodies": {{{}}}}})",
        more, bodies);
}

// A tray of dry sand 0.2 m deep and 1.2 m wide.
const std::string tray =
    R"("sand": {"shape": {"box": {"min": [-0.6, 0], "max": [0.6, 0.2]}}, "behaviors": {"sand": {"angle": 32}}},
       "tray": {"shape": {"box": {"min": [-0.6, 0, -1], "max": [0.6, 1.5, 1]}, "invert": true}, "boundary": {"slip": "friction", "friction": 0.5}})";
const std::string floor_body =
    R"("floor": {"shape": {"box": {"min": [-2, -0.2], "max": [2, 0]}}, "boundary": {"slip": "no"}})";

std::size_t body_of(const Simulation& s, const std::string& name) {
    const auto& bodies = s.context().scene.bodies;
    return static_cast<std::size_t>(
        std::find_if(bodies.begin(), bodies.end(), [&](const auto& b) { return b.name == name; }) - bodies.begin());
}

// The largest of something, over particles of a body.
template <class Of> double most(const Simulation& s, const std::string& body, const Of& of) {
    const Pool& pool = s.particles();
    const std::size_t b = body_of(s, body);
    double found = -1e300;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == b) found = std::max(found, static_cast<double>(of(i)));
    return found;
}
// How high the sand stands between two places.
double top(const Simulation& s, double from, double to, const std::string& body = "sand") {
    const auto position = s.particles()[s.particles().position];
    return most(s, body, [&](std::size_t i) {
        return position[i].x > from && position[i].x < to ? position[i].y + 0.5 * spacing : 0;
    });
}
double resting_share(const Simulation& s) {
    const Pool& pool = s.particles();
    double sand = 0, rests = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[Column<float>{pool.find("sand_is_sand")}][i] > 0) ++sand, rests += pool.rests(i);
    return rests / sand;
}

// A ball and a box that fall from 0.4 m: how deep their lowest point is below where the sand was, and how high the rim.
std::pair<double, double> crater(const std::string& shape, double density) {
    const auto s = start(scene(
        tray + fmt::format(R"(, "body": {{"shape": {}, "behaviors": {{"rigid": {{"density": {}, "friction": 0.5}}}}}})",
                           shape, density)));
    const double low = s->pose(body_of(*s, "body"))->center.y - 0.6; // its lowest point at first is at 0.6 m
    advance(*s, 1.8);
    const Vec3d before = s->pose(body_of(*s, "body"))->center;
    advance(*s, 2);
    const double deep = 0.2 - (s->pose(body_of(*s, "body"))->center.y - low);
    const double rim = std::max(top(*s, -0.35, -0.08), top(*s, 0.08, 0.35)) - 0.2;
    if (show())
        fmt::print("{} of {}: {:.3f} m deep, rim {:.3f} m, {:.2f} rests, speed {:.3f}\n", shape.substr(2, 6), density,
                   deep, rim, resting_share(*s), length(s->pose(body_of(*s, "body"))->velocity));
    EXPECT_LT(length(s->pose(body_of(*s, "body"))->center - before), 0.005); // it has come to rest
    return {deep, rim};
}

TEST(SandAndBodies, LeaveCraters) {
    const std::string ball = R"({"sphere": {"center": [0, 0.67], "radius": 0.07}})",
                      box = R"({"box": {"min": [-0.06, 0.6], "max": [0.06, 0.72]}})";
    const auto [light, light_rim] = crater(ball, 600);
    const auto [heavy, heavy_rim] = crater(ball, 7800);
    const auto [cube, cube_rim] = crater(box, 2500);
    EXPECT_GT(light, 0.005);
    EXPECT_LT(light, 0.07); // wood stays on top: in water it would swim at 60 % of its height
    EXPECT_GT(heavy, light + 0.03);
    EXPECT_GT(heavy_rim, 0.01);
    EXPECT_GT(cube, 0.01);
    EXPECT_LT(cube, 0.12);
}

TEST(SandAndBodies, ABladePushesAHeap) {
    const auto s = start(
        scene(
            tray +
            R"(, "blade": {"shape": {"box": {"min": [-0.55, 0.08], "max": [-0.49, 0.6]}}, "boundary": {"slip": "friction", "friction": 0.3,
             "motion": {"translation": {"keys": [[0, [0, 0]], [0.3, [0, 0]], [1.8, [0.6, 0]]]}}}})"),
        {"bodies.sand.shape.box.min=[-0.48, 0]"});
    advance(*s, 1.8);
    const double before = top(*s, 0.12, 0.3), behind = top(*s, -0.4, -0.1);
    if (show()) fmt::print("blade: {:.3f} m before it, {:.3f} m behind\n", before, behind);
    EXPECT_GT(before, 0.26);
    EXPECT_LT(behind, 0.2);
    EXPECT_GT(behind, 0.04); // below the blade sand stays
}

// As deep as the same weight of water presses it.
TEST(SandAndBodies, JellyBearsItsWeight) {
    const auto squeezed = [](const std::string& load) {
        const auto s = start(scene(
            R"("jelly": {"shape": {"box": {"min": [-0.2, 0], "max": [0.2, 0.2]}}, "behaviors": {"elastic": {"young_modulus": 4e4, "damping": 0.02}}},
               "tray": {"shape": {"box": {"min": [-0.2, 0, -1], "max": [0.2, 1, 1]}, "invert": true}, "boundary": {}},
               "load": {"shape": {"box": {"min": [-0.2, 0.2], "max": [0.2, 0.3]}}, "behaviors": )" +
            load + "}"));
        const auto height = [&](std::size_t i) { return s->particles()[s->particles().position][i].y; };
        advance(*s, 1);
        const double top_of_jelly = most(*s, "jelly", height) + 0.5 * spacing;
        EXPECT_GT(-most(*s, "load", [&](std::size_t i) { return -height(i); }), top_of_jelly); // nothing gets into it
        return 0.2 - top_of_jelly;
    };
    const double sand = squeezed(R"({"sand": {"angle": 32}})"), water = squeezed(R"({"fluid": {"density": 1600}})");
    if (show()) fmt::print("jelly: squeezed by {:.4f} m by sand, {:.4f} m by water\n", sand, water);
    EXPECT_NEAR(sand, water, 0.2 * water); // 0.11 to 0.19, by how water presses
}

TEST(SandAndBodies, ClothCatchesIt) { // in 3D
    const auto s = start(
        R"({"duration": 20, "fps": 25, "particle_radius": 0.015, "behaviors": {"gravity": {}}, "bodies": {
             "cloth": {"shape": {"sheet": {"corner": [-0.2, 0.4, -0.2], "u": [0.4, 0, 0], "v": [0, 0, 0.4]}},
                       "behaviors": {"cloth": {"density": 670, "thickness": 0.0006, "young_modulus": 3e6, "friction": 0.5}},
                       "pins": {"edge": {"shape": {"box": {"min": [-0.19, 0, -0.19], "max": [0.19, 1, 0.19]}, "invert": true}}}},
             "sand": {"shape": {"box": {"min": [-0.075, 0.42, -0.075], "max": [0.075, 0.48, 0.075]}}, "behaviors": {"sand": {"angle": 32}}}}})");
    const auto height = [&](std::size_t i) { return s->particles()[s->particles().position][i].y; };
    advance(*s, 0.4);
    const double lowest = -most(*s, "sand", [&](std::size_t i) { return -height(i); }),
                 sag = 0.4 + most(*s, "cloth", [&](std::size_t i) { return -height(i); });
    if (show()) fmt::print("cloth: sags by {:.3f} m, sand from {:.3f} m\n", sag, lowest);
    EXPECT_GT(sag, 0.01);
    EXPECT_GT(lowest, 0.4 - sag); // none falls through
}

TEST(Sand, ComesFromEmittersAndGoesThroughDrains) {
    const auto s = start(scene(
        R"("sand": {"behaviors": {"sand": {"angle": 32}}, "emitters": {"spout": {"shape": {"box": {"min": [-0.05, 0.48], "max": [0.05, 0.5]}},
              "direction": [0, -1], "speed": 0.5, "stop": 2}}},
           "left": {"shape": {"box": {"min": [-1, -0.1], "max": [-0.06, 0]}}, "boundary": {"slip": "no"}},
           "right": {"shape": {"box": {"min": [0.06, -0.1], "max": [1, 0]}}, "boundary": {"slip": "no"}},
           "plug": {"shape": {"box": {"min": [-0.06, -0.1], "max": [0.06, 0]}}, "boundary": {"slip": "no", "motion": {
             "translation": {"keys": [[0, [0, 0]], [3, [0, 0]], [3.3, [0, -1]]]}}}})",
        R"("drains": {"below": {"shape": {"box": {"min": [-2, -0.9], "max": [2, -0.5]}}}},)"));
    advance(*s, 3);
    const std::size_t poured = s->particles().size();
    const double heap = top(*s, -0.03, 0.03);
    EXPECT_NEAR(static_cast<double>(poured), 0.1 * 0.5 * 2 / (spacing * spacing), 0.1 * static_cast<double>(poured));
    advance(*s, 6);
    const double left = static_cast<double>(s->particles().size());
    // What lies above the angle of rest around the hole has run out, the rest stands: a crater, not an empty floor.
    if (show())
        fmt::print("drain: {} poured, {} left, {:.3f} then {:.3f} m over the hole\n", poured, left, heap,
                   top(*s, -0.03, 0.03));
    EXPECT_GT(heap, 0.1);
    EXPECT_LT(top(*s, -0.03, 0.03), 0.5 * heap);
    EXPECT_LT(left, 0.8 * static_cast<double>(poured));
    EXPECT_GT(left, 0.2 * static_cast<double>(poured));
}

// Weights by keys: sand stands, water runs flat, honey is slow, and sand stands again.
TEST(Sand, TurnsToWaterAndHoneyAndBack) {
    const auto s = start(scene(
        R"("sand": {"shape": {"box": {"min": [-0.6, 0], "max": [0, 0.3]}}, "behaviors": {
              "sand": {"angle": 35, "cohesion": 100, "weight": {"keys": [[0, 1], [1, 1], [1.2, 0], [4.5, 0], [4.6, 1]]}},
              "fluid": {"density": 1600, "weight": {"keys": [[0, 0], [1, 0], [1.2, 1], [4.5, 1], [4.6, 0]]}},
              "viscosity": {"model": "implicit", "viscosity": {"keys": [[0, 0.01], [3, 0.01], [3.2, 50]]}, "weight": {"keys": [[0, 0], [1, 0], [1.2, 1], [4.5, 1], [4.6, 0]]}}}},
           "tank": {"shape": {"box": {"min": [-0.6, 0, -1], "max": [0.6, 1, 1]}, "invert": true}, "boundary": {"slip": "no"}})"));
    const auto slope = [&] { return top(*s, -0.6, -0.5) - top(*s, 0.5, 0.6); };
    const double mass = total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; });
    advance(*s, 1);
    const double sand = slope(), rested = resting_share(*s);
    advance(*s, 3);
    const double water = top(*s, 0.5, 0.6); // at the far wall, where no sand has come
    const double stirred = kinetic_energy(*s);
    advance(*s, 4.4);
    const double honey = slope(), thick = kinetic_energy(*s);
    advance(*s, 9);
    if (show())
        fmt::print("sand {:.3f} m ({:.2f} rests), water {:.3f} m ({:.2g} J), honey {:.3f} m ({:.2g} J), sand {:.3f} m "
                   "({:.2f} rests)\n",
                   sand, rested, water, stirred, honey, thick, slope(), resting_share(*s));
    EXPECT_GT(sand, 0.12);
    EXPECT_GT(water, 0.05);
    EXPECT_LT(std::abs(honey), 0.05);
    EXPECT_LT(thick, 0.1 * stirred + 1e-6);
    EXPECT_GT(resting_share(*s), 0.9);
    EXPECT_DOUBLE_EQ(total(*s, [&](std::size_t i) { return s->particles()[s->particles().mass][i]; }), mass);
}

double heap_after(const std::string& law) { // of a square of sand, after 1.5 s
    const auto s = start(scene(
        fmt::format(
            R"("sand": {{"shape": {{"box": {{"min": [-0.15, 0], "max": [0.15, 0.3]}}}}, "behaviors": {{"sand": {{{}}}}}}},)",
            law) +
        floor_body));
    advance(*s, 1.5);
    return top(*s, -0.6, 0.6);
}

TEST(Sand, FrictionAndCohesionFollowKeys) {
    const double
        loose = heap_after(R"("friction": 0.1)"),
        rough = heap_after(R"("friction": 0.6, "cohesion": 1500)"),
        fading = heap_after(
            R"("friction": {"keys": [[0, 0.6], [0.6, 0.6], [0.8, 0.1]]}, "cohesion": {"keys": [[0, 1500], [0.6, 1500], [0.8, 0]]})"),
        // only its lower half holds together
        by_height = heap_after(
            R"("friction": {"over": "height", "keys": [[0.14, 0.6], [0.16, 0.1]]}, "cohesion": {"over": "height", "keys": [[0.14, 1500], [0.16, 0]]})");
    if (show())
        fmt::print("keys: loose {:.3f}, rough {:.3f}, fading {:.3f}, by height {:.3f} m\n", loose, rough, fading,
                   by_height);
    EXPECT_GT(rough, 0.29);
    EXPECT_LT(loose, 0.12);
    EXPECT_LT(fading, 0.16);
    EXPECT_GT(by_height, loose + 0.05);
    EXPECT_LT(by_height, rough - 0.05);
}

class SandWith : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, SandWith, testing::Values("dfsph", "iisph", "wcsph"));

// How far a rod that was put into something has tilted after 1 s [degrees].
double tilt_in(const std::string& law, const char* solver) {
    const auto s = start(
        scene(fmt::format(
            R"("stuff": {{"shape": {{"difference": [{{"box": {{"min": [-0.4, 0, -1], "max": [0.4, 0.2, 1]}}}}, {{"box": {{"min": [-0.04, 0.02, -1], "max": [0.04, 0.6, 1]}}}}]}}, "behaviors": {{{}}}}},
               "rod": {{"shape": {{"box": {{"min": [-0.04, 0.02], "max": [0.04, 0.5]}}}}, "behaviors": {{"rigid": {{"density": 1200, "friction": 0.5}}}}}},
               "tray": {{"shape": {{"box": {{"min": [-0.4, 0, -1], "max": [0.4, 1, 1]}}, "invert": true}}, "boundary": {{}}}},
               "nudge": {{"shape": {{"sphere": {{"center": [-0.12, 0.45], "radius": 0.03}}}}, "velocity": [0.5, 0],
                         "behaviors": {{"rigid": {{"density": 1200}}}}}})",
            law)),
        {fmt::format("solver.pressure={}", solver)});
    advance(*s, 1);
    return length(s->pose(body_of(*s, "rod"))->turn) * 180 / M_PI;
}

TEST_P(SandWith, ARodStandsInItAndFallsInWater) {
    const double sand = tilt_in(R"("sand": {"angle": 34})", GetParam()),
                 water = tilt_in(R"("fluid": {"density": 1600})", GetParam());
    if (show()) fmt::print("rod with {}: {:.1f} degrees in sand, {:.1f} in water\n", GetParam(), sand, water);
    EXPECT_LT(sand, 8);
    EXPECT_GT(water, 15);
}

// Thrown along, it digs itself in, trips and turns forward.
TEST(SandAndBodies, AWheelThatIsThrownTurns) {
    const auto s = start(scene(
        R"("sand": {"shape": {"box": {"min": [-0.6, 0], "max": [0.6, 0.16]}}, "behaviors": {"sand": {"angle": 32}}},
           "wheel": {"shape": {"sphere": {"center": [-0.35, 0.26], "radius": 0.1}}, "velocity": [1.2, 0], "behaviors": {"rigid": {"density": 2500, "friction": 0.6}}},
           "tray": {"shape": {"box": {"min": [-0.6, 0, -1], "max": [0.6, 1, 1]}, "invert": true}, "boundary": {"slip": "no"}})"));
    double turned = 0, last = 0;
    const auto wheel = [&] { return *s->pose(body_of(*s, "wheel")); };
    advance(*s, 0.8, [&] { turned -= (s->time() - last) * wheel().spin.z, last = s->time(); });
    const double way = wheel().center.x + 0.35;
    if (show()) fmt::print("thrown wheel: {:.2f} m, turned by {:.2f} of that\n", way, turned * 0.1 / way);
    EXPECT_GT(way, 0.08);
    EXPECT_GT(turned * 0.1, 0.1 * way);
}

// A roller that the scene rolls over it, 3 cm deep.
TEST(SandAndBodies, ARollerLeavesATrack) {
    const auto s = start(scene(
        tray +
        R"(, "roller": {"shape": {"sphere": {"center": [-0.45, 0.45], "radius": 0.1}}, "boundary": {"slip": "friction", "friction": 0.5, "motion": {
             "translation": {"keys": [[0, [0, 0]], [0.4, [0, -0.18]], [1.4, [0.6, -0.18]]]}, "angle": {"keys": [[0.4, 0], [1.4, -343]]}, "pivot": [-0.45, 0.45]}}})"));
    advance(*s, 1.4);
    const double track = top(*s, -0.35, 0), beyond = top(*s, 0.4, 0.55);
    if (show()) fmt::print("roller: track {:.3f} m, {:.3f} m beyond it\n", track, beyond);
    EXPECT_LT(track, beyond - 0.5 * spacing);
    EXPECT_GT(track, 0.13);
}

TEST(SandAndBodies, ARakeDrawsLines) { // in 3D: deep where the tines went, not between them
    const auto s = start(
        R"({"duration": 9, "fps": 25, "particle_radius": 0.015, "behaviors": {"gravity": {}}, "bodies": {
             "sand": {"shape": {"box": {"min": [-0.3, 0, -0.18], "max": [0.3, 0.12, 0.18]}}, "behaviors": {"sand": {"angle": 34}}},
             "rake": {"shape": {"union": [{"box": {"min": [-0.29, 0.07, -0.12], "max": [-0.23, 0.3, -0.06]}},
                                          {"box": {"min": [-0.29, 0.07, 0.06], "max": [-0.23, 0.3, 0.12]}}]},
                      "boundary": {"slip": "friction", "friction": 0.3, "motion": {"translation": {"keys": [[0, [0, 0.08, 0]], [0.2, [0, 0, 0]], [1.2, [0.45, 0, 0]], [1.4, [0.45, 0.3, 0]]]}}}},
             "box": {"shape": {"box": {"min": [-0.3, 0, -0.18], "max": [0.3, 0.6, 0.18]}, "invert": true}, "boundary": {"slip": "friction", "friction": 0.5}}}})");
    advance(*s, 1.8);
    const Pool& pool = s->particles();
    const auto height = [&](double from, double to) { // mean of the tops of slices along the way
        std::array<double, 6> tops{};
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const Vec3d& p = pool[pool.position][i];
            const double slice = (p.x + 0.15) / 0.05;
            if (slice < 0 || slice >= 6 || std::abs(p.z) < from || std::abs(p.z) > to) continue;
            double& own = tops[static_cast<std::size_t>(slice)];
            own = std::max(own, p.y + 0.015);
        }
        return std::accumulate(tops.begin(), tops.end(), 0.0) / 6;
    };
    const double line = height(0.075, 0.105), between = height(0, 0.03);
    if (show()) fmt::print("rake: lines {:.3f} m high, {:.3f} m between them\n", line, between);
    EXPECT_LT(line, between - 0.01);
}

TEST(Sand, FollowsAGuide) { // a control body pulls sand along the ground, against its friction
    const auto way = [](const char* control) {
        const auto s = start(scene(
            fmt::format(
                R"("sand": {{"shape": {{"box": {{"min": [-0.4, 0], "max": [-0.1, 0.2]}}}}, "behaviors": {{"sand": {{"angle": 32}}{}}}}},
               "guide": {{"shape": {{"box": {{"min": [-0.4, 0], "max": [-0.1, 0.2]}}}}, "boundary": {{"method": "none",
                 "motion": {{"translation": {{"keys": [[0, [0, 0]], [0.3, [0, 0]], [1.3, [0.5, 0]]]}}}}}}}},)",
                control) +
            floor_body));
        const auto middle = [&] {
            return total(*s, [&](std::size_t i) { return s->particles()[s->particles().position][i].x; }) /
                   static_cast<double>(s->particles().size());
        };
        const double before = middle();
        advance(*s, 1.6);
        return middle() - before;
    };
    const double led = way(R"(, "control": {"by": "guide", "attraction": 150, "rate": 300})"), left = way("");
    if (show()) fmt::print("guide: {:.2f} m, alone {:.2f} m\n", led, left);
    EXPECT_GT(led, 0.35);
    EXPECT_LT(left, 0.1);
}

} // namespace
} // namespace loam::test
