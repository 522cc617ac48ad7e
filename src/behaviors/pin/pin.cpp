#include "behaviors/pin/pin.h"

namespace loam {

Status Pin::prepare(StepContext& step) {
    Pool& pool = step.particles;
    step.pin = pool.declare<std::uint32_t>({.name = "pin", .help = "which pin holds it, from 1", .saved = true});
    rest_ = pool.declare<Vec3d>({.name = "pin_rest", .unit = "m", .saved = true});
    const auto position = pool[pool.position], rest = pool[rest_];
    const auto body = pool[pool.body], pin = pool[step.pin];
    for (std::size_t h = 0; h < holds_.size(); ++h) {
        const Hold& hold = holds_[h];
        const Pose start = pose_at(hold.motion, step.time);
        std::size_t held = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            if (body[i] != hold.body || hold.shape->distance(position[i]) > 0) continue;
            pin[i] = static_cast<std::uint32_t>(h + 1);
            rest[i] = start.point_at_rest(position[i]);
            ++held;
        }
        if (held == 0)
            return Error{Fault::scene, hold.path + ".shape", "holds no particle of the body",
                         "a pin holds the particles whose centers are inside of its shape at the start"};
    }
    return Done{};
}

void Pin::constrain(StepContext& step, std::span<Float4> field) {
    if (field.data() == step.particles[step.particles.velocity].data()) return; // which is led
    const auto pin = step.particles[step.pin];
    parallel_each(field.size(), [&](std::size_t i) {
        if (pin[i] != 0) field[i] = {0, 0, 0, field[i].w};
    });
}

Status Pin::lead(StepContext& step) {
    if (!(step.dt > 0)) return Done{};
    Pool& pool = step.particles;
    std::vector<Pose> poses;
    for (const Hold& hold : holds_) poses.push_back(pose_at(hold.motion, step.time + step.dt));
    const auto position = pool[pool.position], rest = pool[rest_];
    const auto velocity = pool[pool.velocity];
    const auto pin = pool[step.pin];
    parallel_each(pool.size(), [&](std::size_t i) {
        if (pin[i] == 0) return;
        const std::size_t h = pin[i] - 1;
        if (step.time >= holds_[h].until) {
            pin[i] = 0;
            return;
        }
        velocity[i] = float4((poses[h].point(rest[i]) - position[i]) / step.dt, velocity[i].w);
    });
    return Done{};
}

} // namespace loam
