// How long a run will take, found out by its first steps.
#pragma once

#include <string>
#include <vector>

#include "base/instruction_set.h"
#include "scene/scene.h"

namespace loam {

class Simulation;

// Particles of an emitter over a whole run, as if none were lost.
struct Pour {
    std::string emitter; // bodies.water.emitters.tap
    double particles = 0;
    double volume = 0; // [m^3], in 2D [m^2]
};
std::vector<Pour> pours_of(const Scene& scene);

struct RunEstimate {
    double seconds = 0;     // of computing, for the whole run
    double particles = 0;   // mean over the run, as if none were lost
    double time_step = 0;   // that is expected on the whole [s]
    std::string limited_by; // what keeps steps from being longer
    // Another value that makes the run so many times as fast, as tried: "bodies.ball.behaviors.elastic.integration".
    std::string faster_by, faster_value;
    double times_faster = 1;
};

// Goes on with a simulation that has made its first step, which is slower than others, for about `patience` seconds.
// What things will do later is guessed from the speeds that gravity can give them.
Result<RunEstimate> estimate_run(Simulation& simulation, double patience);

// Tries what may be faster where steps are short.
void find_faster(const Scene& scene, InstructionSet isa, double patience, RunEstimate& estimate);

} // namespace loam
