// Knitwear: C6 of the validation list, and what its scenes say, in small.
#include <array>
#include <map>

#include <gtest/gtest.h>

#include "behaviors/porous/network.h"
#include "behaviors/porous/solve.h"
#include "run_scene.h"

namespace loam::test {
namespace {

// The particles of a knit by layer and point.
struct Layers {
    std::vector<std::array<std::size_t, 3>> points; // middle, back, front
    double rest = 0;                                // gap

    Layers(const Simulation& s, std::size_t body) {
        const Pool& pool = s.particles();
        const BodySheet& own = s.context().scene.sheets[body];
        const std::size_t n = own.sheet->in_layer();
        points.resize(n);
        rest = length(own.sheet->points[n] - own.sheet->points[0]);
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (const std::uint32_t k = pool[pool.id][i] - own.first_id; k < 3 * n) points[k % n][k / n] = i;
    }
};

// Along the normal of the middle layer, of the gap at rest.
struct Gaps {
    double least = 1e9, most = 0;
};
Gaps gaps(const Simulation& s, std::size_t body) {
    const Layers layers(s, body);
    const auto at = s.particles()[s.particles().position];
    const Sheet& sheet = *s.context().scene.sheets[body].sheet;
    std::vector<Vec3d> normals(sheet.in_layer());
    for (const Triangle& t : sheet.triangles) {
        const Vec3d a = at[layers.points[t[0]][0]], b = at[layers.points[t[1]][0]], c = at[layers.points[t[2]][0]];
        for (const std::uint32_t corner : t) normals[corner] += cross(b - a, c - a);
    }
    Gaps found;
    for (std::size_t k = 0; k < normals.size(); ++k) {
        const auto& [middle, back, front] = layers.points[k];
        for (const Vec3d& way : {at[front] - at[middle], at[middle] - at[back]}) {
            const double gap = dot(way, normalized(normals[k])) / layers.rest;
            found.least = std::min(found.least, gap), found.most = std::max(found.most, gap);
        }
    }
    return found;
}

std::map<std::string, double> water(const Simulation& s) {
    std::map<std::string, double> all;
    for (const Account& account : s.accounts())
        if (account.name == "water") all.insert(account.entries.begin(), account.entries.end());
    return all;
}

double mass_of(const Simulation& s, std::uint32_t body) {
    const Pool& pool = s.particles();
    return total(s, [&](std::size_t i) { return pool[pool.body][i] == body ? pool[pool.mass][i] : 0; });
}

// C6, along the sheet: the three layers together stretch as they say. A strip hangs by its end, L (rho g d L / 2 k)
// longer than at rest.
TEST(Knit, StretchesByTheStiffnessOfAllLayersTogether) {
    constexpr double length = 0.5, density = 200, thickness = 0.006, gravity = 5, structural = 60;
    for (const bool along_wales : {true, false}) {
        const auto s = start(fmt::format(
            R"({{"duration": 100, "fps": 50, "particle_radius": 0.0125,
                 "behaviors": {{"gravity": {{"acceleration": [0, -{}, 0]}}}},
                 "bodies": {{"strip": {{"shape": {{"sheet": {{"u": [{}, 0], "v": [{}, 0]}}}},
                   "behaviors": {{"knit": {{"density": {}, "thickness": {}, "structural": {}, "crosswise": 0.5,
                                            "shear": 0, "damping": 1}}}},
                   "pins": {{"top": {{"shape": {{"box": {{"min": [-9, -1e-6, -9], "max": [9, 9, 9]}}}}}}}}}}}}}})",
            gravity, along_wales ? "0.1, 0" : fmt::format("0, -{}", length),
            along_wales ? fmt::format("0, -{}", length) : "0.1, 0", density, thickness, structural));
        advance(*s, 6);
        double lowest = 0;
        for (const Vec3d& p : s->particles()[s->particles().position]) lowest = std::min(lowest, p.y);
        const double stiffness = structural * (along_wales ? 1 : 0.5);
        const double longer = (-lowest - length) / (density * thickness * gravity * length * length / (2 * stiffness));
        if (std::getenv("LOAM_SHOW")) fmt::print("along {}: longer {:.4f} of expected\n", along_wales, longer);
        EXPECT_NEAR(longer, 1, 0.02) << along_wales;
        EXPECT_NEAR(mass_of(*s, 0), density * thickness * 0.1 * length, 1e-6);
    }
}

// knit-stretch: pulled by half of its length it gets thinner, and no layer goes through another. Let go, it is as
// before.
TEST(Knit, KeepsItsLayersWhenPulledByHalf) {
    for (const bool along_wales : {true, false}) {
        const auto s = start(fmt::format(
            R"({{"duration": 100, "fps": 50, "particle_radius": 0.01,
                 "bodies": {{"strip": {{"shape": {{"sheet": {{"u": [{}], "v": [{}]}}}},
                   "behaviors": {{"knit": {{"density": 150, "thickness": 0.006, "damping": 1, "crosswise": 0.5}},
                                  "drag": {{"coefficient": 0, "linear": 3}}}},
                   "pins": {{"low": {{"shape": {{"box": {{"min": [-9, -9, -9], "max": [9, 0.001, 9]}}}}}},
                             "high": {{"shape": {{"box": {{"min": [-9, 0.199, -9], "max": [9, 9, 9]}}}}, "until": 1.5,
                               "motion": {{"translation": {{"keys": [[0, [0, 0, 0]], [1, [0, 0.1, 0]]]}}}}}}}}}}}}}})",
            along_wales ? "0.12, 0" : "0, 0.2", along_wales ? "0, 0.2" : "0.12, 0"));
        advance(*s, 1.4);
        const Gaps stretched = gaps(*s, 0);
        EXPECT_GT(stretched.least, 0.6) << along_wales;
        EXPECT_LT(stretched.most, 1.3) << along_wales;
        const Pool& pool = s->particles();
        double left = 1, right = 0;
        for (const Vec3d& p : pool[pool.position])
            if (std::abs(p.y - 0.15) < 0.016) left = std::min(left, p.x), right = std::max(right, p.x);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("along {}: gaps {:.3f} to {:.3f}, waist {:.4f}\n", along_wales, stretched.least, stretched.most,
                       right - left);
        EXPECT_LT(right - left, 0.115); // it is pulled in
        advance(*s, 5);
        EXPECT_NEAR(gaps(*s, 0).least, 1, 0.05);
        double highest = 0;
        for (const Vec3d& p : pool[pool.position]) highest = std::max(highest, p.y);
        EXPECT_NEAR(highest, 0.2, 0.004);
    }
}

// C6, across the sheet: water meets L_i / K_i one after the other. Front 1, middle 0.1, back 1: a quarter of K.
TEST(Knit, LetsThroughWhatItsLayersLetThroughInARow) {
    const auto s = start(R"({"duration": 1, "fps": 50, "particle_radius": 0.005,
        "bodies": {"knit": {"shape": {"sheet": {"corner": [-0.1, 0, 0.1], "u": [0.2, 0, 0], "v": [0, 0, -0.2]}},
                            "behaviors": {"knit": {"thickness": 0.006, "holes": 0}, "porous": {}}},
                   "water": {"shape": {"union": [{"box": {"min": [-0.1, 0.007, -0.1], "max": [0.1, 0.057, 0.1]}},
                                                 {"box": {"min": [-0.1, -0.057, -0.1], "max": [0.1, -0.007, 0.1]}}]},
                             "behaviors": {"fluid": {}}}}})");
    Pool& pool = s->particles();
    const Column<float> share = pool.declare<float>({.name = "share"});
    const Column<float> yields = pool.declare<float>({.name = "yields"}); // nothing does
    ASSERT_TRUE(s->step(1e-5));
    const Layers layers(*s, 0);
    for (const auto& [expected, middle] : {std::pair{1.0, 1.0f}, std::pair{0.25, 0.1f}}) {
        for (const auto& point : layers.points)
            for (std::size_t layer = 0; layer < 3; ++layer) pool[share][point[layer]] = layer == 0 ? middle : 1;
        PorousMaterials materials;
        Pores pores;
        pores.permeability = 1e-9;
        materials.pores = {pores, {}};
        materials.fluid = {1, 1};
        materials.is_porous = {1, 0}, materials.is_absorbed = {0, 1};
        materials.fluid_density = {1000, 1000};
        materials.weight = Numbers({1, 1}, share);
        materials.yields = yields;
        std::vector<float> matter(pool.size(), 0), room(pool.size(), 0);
        for (std::size_t i = 0; i < pool.size(); ++i)
            if (pool[pool.body][i] == 0) matter[i] = pool[pool.mass][i] / 120, room[i] = matter[i] / 2;
        PorousNetwork network;
        network.prepare(s->context().scene);
        network.build(s->context(), materials, matter, room);
        std::vector<double> content(network.size()), potential(network.size(), 0.5);
        for (std::size_t n = 0; n < network.size(); ++n) {
            content[n] = room[network[n].particle];
            if (network[n].pores == free_fluid) potential[n] = pool[pool.position][network[n].particle].y > 0 ? 1 : 0;
        }
        PorousSolve solve;
        solve.run({network, materials, content, 1}, potential);
        // Within 5 cm of the middle, away from the rim: from the front layer to the middle one.
        double flow = 0, area = 0;
        for (const auto& [middle_at, back_at, front_at] : layers.points) {
            const Vec3d p = pool[pool.position][middle_at];
            if (std::abs(p.x) > 0.055 || std::abs(p.z) > 0.055) continue;
            area += matter[middle_at] / 0.002;
            const std::uint32_t n = network.node_of(middle_at), front = network.node_of(front_at);
            std::size_t at = network.first_edge(n);
            for (const PorousEdge& edge : network.edges(n)) {
                if (edge.other == front) flow -= solve.flow(at, n, edge, potential);
                ++at;
            }
        }
        const double effective = flow / area * 0.006 * 1e-3 / 1e-9; // of K
        if (std::getenv("LOAM_SHOW")) fmt::print("through: {:.4f} of {}\n", effective, expected);
        EXPECT_NEAR(effective, expected, 0.02 * expected);
    }
}

// knit-jet: some of the water stays in the knit, which gets heavier, some passes, none is lost.
TEST(Knit, AJetWetsItAndSomePasses) {
    const auto s = start(R"({"duration": 2, "fps": 25, "particle_radius": 0.008, "behaviors": {"gravity": {}},
        "domain": {"min": [-0.5, -0.3, -0.4], "max": [1, 0.6, 0.4]},
        "bodies": {"knit": {"shape": {"sheet": {"corner": [0, 0, 0.15], "u": [0, 0, -0.3], "v": [0, 0.3, 0]}},
                            "behaviors": {"knit": {"density": 130, "thickness": 0.006, "holes": 0.2},
                                          "porous": {"porosity": 0.8, "permeability": 1e-9, "model": "leverett"}},
                            "pins": {"top": {"shape": {"box": {"min": [-1, 0.29, -1], "max": [1, 1, 1]}}}}},
                   "water": {"behaviors": {"fluid": {}},
                             "emitters": {"jet": {"shape": {"disk": {"center": [-0.15, 0.15, 0], "normal": [1, 0, 0],
                                                                     "radius": 0.025}},
                                                  "direction": [1, 0, 0], "speed": 2, "stop": 0.6}}}}})");
    const double dry = mass_of(*s, 0);
    const auto before = water(*s);
    advance(*s, 0.6);
    const Pool& pool = s->particles();
    double behind = 0, poured = water(*s).at("entered");
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (pool[pool.body][i] == 1 && pool[pool.position][i].x > 0.05) behind += pool[pool.mass][i];
    const auto after = water(*s);
    const double wet = mass_of(*s, 0);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("dry {:.4f} wet {:.4f} poured {:.4f} absorbed {:.4f} behind {:.4f} sum {:.3e} {:.3e}\n", dry, wet,
                   poured, after.at("absorbed"), behind, before.at("sum"), after.at("sum"));
    EXPECT_GT(after.at("absorbed"), 0.02);
    EXPECT_NEAR(wet - dry, after.at("absorbed"), 1e-4 * dry);
    EXPECT_GT(behind, 0.03 * poured);
    EXPECT_LT(behind, 0.6 * poured);
    EXPECT_NEAR(after.at("sum"), before.at("sum"), 1e-6 * poured);
}

// knit-drop: it lies on the ball, none of it inside, in order.
TEST(Knit, LiesOnABall) {
    const auto s = start(R"({"duration": 2, "fps": 25, "particle_radius": 0.015, "behaviors": {"gravity": {}},
        "bodies": {"knit": {"shape": {"sheet": {"corner": [-0.3, 0.45, -0.3], "u": [0.6, 0, 0], "v": [0, 0, 0.6]}},
                            "behaviors": {"knit": {"density": 130, "thickness": 0.006, "structural": 60},
                                          "drag": {"coefficient": 0, "linear": 1}}},
                   "ball": {"shape": {"sphere": {"center": [0, 0.22, 0], "radius": 0.16}},
                            "boundary": {"slip": "friction", "friction": 0.6}}}})");
    advance(*s, 1.5);
    const Pool& pool = s->particles();
    double nearest = 1, lowest = 1;
    for (const Vec3d& p : pool[pool.position])
        nearest = std::min(nearest, length(p - Vec3d{0, 0.22, 0})), lowest = std::min(lowest, p.y);
    const Gaps layers = gaps(*s, 0);
    if (std::getenv("LOAM_SHOW"))
        fmt::print("nearest {:.4f} lowest {:.4f} gaps {:.3f} to {:.3f}, fastest {:.3f}\n", nearest, lowest,
                   layers.least, layers.most, pool.fastest());
    EXPECT_GT(nearest, 0.16 + 0.9 * 0.015);
    EXPECT_GT(lowest, -0.05); // it hangs on the ball
    EXPECT_LT(lowest, 0.25);
    EXPECT_GT(layers.least, 0);
}

} // namespace
} // namespace loam::test
