// Friction and no slip along walls: a law of the walls, there for every material that touches one.
#include <algorithm>
#include <cmath>

#include "behaviors/behavior.h"
#include "behaviors/walls/passes.h"
#include "passes/lattice.h"
#include "passes/pass.h"

namespace loam {
namespace {

// Acts with the time step, after the other forces and before pressure.
class WallFriction : public Behavior {
public:
    Status prepare(StepContext& step) override;
    Status apply_implicit(StepContext& step) override;

private:
    float full_contact_ = 1;
    float cell_ = 0; // volume that particles of walls without one stand for; 0: all have one
    std::vector<std::uint8_t> sticks_by_itself_; // by body: by its viscosity or its contacts; 2: it rubs too
};

// The share of the kernel that a flat wall fills for a particle at rest on it, a lattice of wall particles one spacing
// below; three quarters of that is full contact, so that a particle a little above sticks as well.
Status WallFriction::prepare(StepContext& step) {
    double sum = 0;
    each_layer_point(step.scene.kernel, step.scene.spacing, [&](int a, int b) {
        sum += kernel_value(step.scene.kernel, step.scene.spacing * std::sqrt(1.0 + a * a + b * b));
    });
    full_contact_ = static_cast<float>(0.75 * sum * lattice_volume(step.scene.kernel, step.scene.spacing));
    const auto pushes_otherwise = [](const WallBody& wall) { return wall.values.text("method") != "sph"; };
    if (std::any_of(step.walls.bodies.begin(), step.walls.bodies.end(), pushes_otherwise))
        cell_ = static_cast<float>(lattice_volume(step.scene.kernel, step.scene.spacing));
    return Done{};
}

Status WallFriction::apply_implicit(StepContext& step) {
    const Pool& pool = step.particles;
    const Walls& walls = step.walls;
    sticks_by_itself_.clear();
    for (const BodyTraits& body : step.traits)
        sticks_by_itself_.push_back(body.rubs ? 2 : body.viscous || body.touches || body.own_contacts);
    step.profile.time("wall friction", [&] {
        Pass pass(step, "wall friction");
        pass.run(wall_friction, {.walls = pass.wall_pairs(),
                                 .kernel = step.scene.kernel,
                                 .wall_kernel = step.scene.wall_kernel,
                                 .wall_normal = pass.reads_walls(walls.normal),
                                 .wall_velocity = pass.reads_walls(walls.velocity),
                                 .body = pass.reads(pool.body),
                                 .sticks_by_itself = sticks_by_itself_.data(),
                                 .cell = cell_,
                                 .volume = pass.reads(pool.volume),
                                 .mass = pass.reads(pool.mass),
                                 .pressure = pass.reads(pool.pressure),
                                 .full_contact = full_contact_,
                                 .dt = static_cast<float>(step.dt),
                                 .velocity = pass.writes(pool.velocity)});
    });
    return Done{};
}

const RegisterImplied wall_friction_law{{
    .declaration = {.name = "wall_friction", .help = "Walls brake what moves along them."},
    .acts = {{Stage::prepare, {}}, {Stage::implicit, {changes("velocity")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        const auto rough = [](const WallBody& wall) { return slip_of(wall.values) != 0; };
        if (std::none_of(step.walls.bodies.begin(), step.walls.bodies.end(), rough)) return nullptr;
        return std::make_unique<WallFriction>();
    },
}};

} // namespace
} // namespace loam
