// What explicit and implicit steps hand to their passes alike.
#pragma once

#include "behaviors/viscosity/passes.h"
#include "passes/pass.h"

namespace loam {

inline ViscosityArgs viscosity_arguments(Pass& pass, Column<Float4> motion) {
    const StepContext& step = pass.step();
    return {.particles = pass.pairs(),
            .walls = pass.wall_pairs(),
            .kernel = step.scene.kernel,
            .wall = {.velocity = pass.reads_walls(step.walls.velocity),
                     .normal = pass.reads_walls(step.walls.normal),
                     .least_height = static_cast<float>(0.25 * step.scene.spacing)},
            .volume = pass.reads(step.particles.volume),
            .mass = pass.reads(step.particles.mass),
            .motion = pass.reads(motion)};
}

} // namespace loam
