#include "behaviors/walls/friction.h"

#include <algorithm>
#include <cmath>

#include "behaviors/walls/passes.h"
#include "passes/lattice.h"

namespace loam {

// The share of the kernel that a flat wall fills for a particle at rest on it, a lattice of wall particles one spacing
// below; three quarters of that is full contact, so that a particle a little above sticks as well.
Status WallFriction::prepare(StepContext& step) {
    double sum = 0;
    each_layer_point(step.kernel, step.spacing, [&](int a, int b) {
        sum += kernel_value(step.kernel, step.spacing * std::sqrt(1.0 + a * a + b * b));
    });
    full_contact_ = static_cast<float>(0.75 * sum * lattice_volume(step.kernel, step.spacing));
    const auto pushes_otherwise = [](const auto& wall) { return wall && wall->text("method") != "sph"; };
    if (std::any_of(step.wall_values.begin(), step.wall_values.end(), pushes_otherwise))
        cell_ = static_cast<float>(lattice_volume(step.kernel, step.spacing));
    step.viscous.resize(step.body_count);
    return Done{};
}

Status WallFriction::apply_implicit(StepContext& step) {
    Pool& pool = step.particles;
    const Walls& walls = step.walls;
    const WallFrictionArgs args{step.wall_pairs(),
                                step.kernel,
                                step.wall_kernel,
                                walls[walls.normal].data(),
                                walls[walls.velocity].data(),
                                pool[pool.body].data(),
                                step.viscous.data(),
                                cell_,
                                pool[pool.volume].data(),
                                pool[pool.mass].data(),
                                pool[pool.pressure].data(),
                                full_contact_,
                                static_cast<float>(step.dt),
                                pool[pool.velocity].data()};
    step.profile.time("wall friction", [&] {
        auto* const function = wall_friction.on(step.isa);
        parallel_ranges(pool.size(), [&](Range range) { function(args, range); });
    });
    return Done{};
}

} // namespace loam
