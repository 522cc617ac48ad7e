// Walls that act by forces on the particles near them: the methods lennard-jones and dem, and adhesion. Not a behavior
// of a body: walls have it, and it acts on all.
#include <cmath>

#include "behaviors/behavior.h"
#include "behaviors/walls/force_passes.h"
#include "passes/pass.h"

namespace loam {
namespace {

class WallForces : public Behavior {
public:
    Status prepare(StepContext& step) override {
        Walls& walls = step.walls;
        law_ = walls.declare<Float4>({.name = "wall_law", .saved = true});
        friction_ = walls.declare<float>({.name = "wall_friction", .saved = true});
        const float volume = static_cast<float>(std::pow(step.scene.spacing, step.scene.dimensions));
        const auto body = walls[walls.body];
        std::vector<const Values*> values(step.scene.bodies.size());
        for (const WallBody& wall : walls.bodies) values[wall.body] = &wall.values;
        for (std::size_t i = 0; i < walls.size(); ++i) {
            const Values& wall = *values[body[i]];
            const std::string& method = wall.text("method");
            Float4& law = walls[law_][i];
            law = {};
            if (method == "lennard-jones") law.x = static_cast<float>(wall.number("strength"));
            if (method == "dem") {
                law.y = static_cast<float>(wall.number("stiffness"));
                law.z = static_cast<float>(2 * wall.number("damping") * std::sqrt(wall.number("stiffness")));
            }
            if (method != "sph" && wall.text("slip") == "friction")
                walls[friction_][i] = static_cast<float>(wall.number("friction"));
            // Walls that mirror pressure know the volume that their sampling gives them; others stand for a cell.
            const float own = walls[walls.volume][i];
            law.w = static_cast<float>(wall.number("adhesion")) * (own > 0 ? own : volume);
        }
        return Done{};
    }

    void apply(StepContext& step) override {
        step.profile.time("wall forces", [&] {
            const Pool& pool = step.particles;
            const Walls& walls = step.walls;
            const double reach = 2 * step.scene.spacing;
            Pass pass(step, "wall forces");
            contact_ = pass.reduce(wall_forces,
                                   {.walls = pass.wall_pairs(),
                                    .rest = static_cast<float>(step.scene.spacing),
                                    .reach = static_cast<float>(reach),
                                    .adhesion_scale = static_cast<float>(std::pow(reach, -step.scene.dimensions - 1)),
                                    .law = pass.reads_walls(law_),
                                    .friction = pass.reads_walls(friction_),
                                    .wall_normal = pass.reads_walls(walls.normal),
                                    .wall_velocity = pass.reads_walls(walls.velocity),
                                    .velocity = pass.reads(pool.velocity),
                                    .acceleration = pass.writes(pool.acceleration)},
                                   [](const WallContact& a, const WallContact& b) {
                                       return WallContact{.stiffness = std::max(a.stiffness, b.stiffness),
                                                          .speed = std::max(a.speed, b.speed),
                                                          .near = a.near || b.near};
                                   });
        });
    }

    // A spring of stiffness k swings with 1 / sqrt(k); and nobody may enter the steep part of a wall at one bound.
    TimeStepLimit time_step(const StepContext& step) const override {
        if (!contact_.near) return {};
        double stiffness = contact_.stiffness;
        for (const WallBody& wall : step.walls.bodies) // also of those that are not touched yet
            if (wall.values.text("method") == "dem") stiffness = std::max(stiffness, wall.values.number("stiffness"));
        TimeStepLimit limit{1e300, "walls"};
        if (stiffness > 0) limit.seconds = 0.25 / std::sqrt(stiffness);
        if (contact_.speed > 0) limit.seconds = std::min(limit.seconds, 0.1 * step.scene.spacing / contact_.speed);
        return limit;
    }

private:
    Column<Float4> law_;
    Column<float> friction_;
    WallContact contact_;
};

const RegisterImplied wall_forces_law{{
    .declaration = {.name = "wall_forces", .help = "Walls that push and pull by forces."},
    .acts = {{Stage::prepare, {}}, {Stage::force, {reads("velocity"), changes("acceleration")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        const auto acts = [](const WallBody& wall) {
            return wall.values.text("method") != "sph" || wall.values.number("adhesion") > 0;
        };
        if (std::none_of(step.walls.bodies.begin(), step.walls.bodies.end(), acts)) return nullptr;
        return std::make_unique<WallForces>();
    },
}};

} // namespace
} // namespace loam
