#include "pressure/prediction.h"

namespace loam {

void Prediction::declare(StepContext& step) {
    place_ = step.particles.declare<Float4>({.name = "predicted_place"});
    wall_place_ = step.walls.declare<Float4>({.name = "predicted_place"});
}

void Prediction::move_walls(StepContext& step) {
    Walls& walls = step.walls;
    if (!step.walls.move()) return;
    const auto from = walls[walls.place], velocity = walls[walls.velocity], to = walls[wall_place_];
    const float dt = static_cast<float>(step.dt);
    parallel_each(walls.size(), [&](std::size_t i) {
        const Float4 &x = from[i], &v = velocity[i];
        to[i] = {x.x + dt * v.x, x.y + dt * v.y, x.z + dt * v.z, x.w};
    });
    walls.padding(wall_place_) = walls.padding(walls.place);
}

void Prediction::move_particles(StepContext& step, Column<Float4> displacement) {
    Pool& pool = step.particles;
    const auto from = pool[pool.place], velocity = pool[pool.velocity], by = pool[displacement], to = pool[place_];
    const float dt = static_cast<float>(step.dt);
    parallel_each(pool.size(), [&](std::size_t i) {
        const Float4 &x = from[i], &v = velocity[i], &d = by[i];
        to[i] = {x.x + (dt * v.x + d.x), x.y + (dt * v.y + d.y), x.z + (dt * v.z + d.z), x.w};
    });
    pool.padding(place_) = pool.padding(pool.place);
}

PressureFields::Places Prediction::places(const StepContext& step) const {
    const Walls& walls = step.walls;
    return {place_, walls.move() ? wall_place_ : walls.place};
}

} // namespace loam
