// A tank of water, and a body in it that does not turn.
#pragma once

#include "run_scene.h"

namespace loam::test {

struct SunkBody {
    int dimensions = 2;
    double width = 1, depth = 1; // of the water
    double radius = 0.01;        // of particles
    std::string shape;           // of the body, as a scene has it; none if empty
    double density = 1000;
    std::string solver = R"("smooth_weight": true)";
    std::string wall = ""; // what its boundary says
};

inline std::unique_ptr<Simulation> start_tank(const SunkBody& sunk) {
    const bool flat = sunk.dimensions == 2;
    const std::string water = fmt::format(R"({{"box": {{"min": [0, 0{}], "max": [{}, {}{}]}}}})", flat ? "" : ", 0",
                                          sunk.width, sunk.depth, flat ? "" : fmt::format(", {}", sunk.width));
    const std::string tank = fmt::format(R"("box": {{"min": [0, 0{}], "max": [{}, {}{}]}})", flat ? "" : ", 0",
                                         sunk.width, 1.5 * sunk.depth, flat ? "" : fmt::format(", {}", sunk.width));
    const bool alone = sunk.shape.empty();
    return start(fmt::format(
        R"({{"dimensions": {}, "duration": 50, "fps": 50, "particle_radius": {}, "solver": {{{}}},
            "behaviors": {{"gravity": {{}}}},
            "bodies": {{
              "water": {{"shape": {}, "behaviors": {{"fluid": {{}}}}}},
              "tank": {{"shape": {{{}, "invert": true}}, "boundary": {{{}}}}}{}}}}})",
        sunk.dimensions, sunk.radius, sunk.solver,
        alone ? water : fmt::format(R"({{"difference": [{}, {}]}})", water, sunk.shape), tank, sunk.wall,
        alone ? ""
              : fmt::format(R"(, "body": {{"shape": {}, "behaviors": {{"rigid": {{"density": {}, "turns": false}}}}}})",
                            sunk.shape, sunk.density)));
}

// Of the body's particles, on average.
inline double height_of_body(const Simulation& s) {
    const Pool& pool = s.particles();
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < pool.size(); ++i)
        if (s.scene().bodies[pool[pool.body][i]].name == "body") sum += pool[pool.position][i].y, count += 1;
    return sum / count;
}

} // namespace loam::test
