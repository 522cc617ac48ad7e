#include "behaviors/mouth/mouth.h"

#include "base/parallel.h"

namespace loam {

Status Mouth::prepare(StepContext& step) {
    led_ = step.particles.declare<Float4>({.name = "mouth", .unit = "m/s", .saved = true});
    for (Float4& led : step.particles[led_]) led.w = out; // what is there at the start
    return Done{};
}

Status Mouth::before_motion(StepContext& step) {
    const auto led = step.particles[led_], velocity = step.particles[step.particles.velocity];
    const auto dt = static_cast<float>(step.dt);
    parallel_each(led.size(), [&](std::size_t i) {
        Float4& l = led[i];
        if (!(l.w > 0)) return;
        velocity[i] = {l.x, l.y, l.z, velocity[i].w};
        l.w -= dt * static_cast<float>(length(l.xyz_double()));
        if (!(l.w > 0)) l.w = out;
    });
    return Done{};
}

bool Mouth::births_and_deaths(StepContext& step) {
    const auto led = step.particles[led_], velocity = step.particles[step.particles.velocity];
    const auto body = step.particles[step.particles.body];
    const auto reach = static_cast<float>(step.kernel.support);
    parallel_each(led.size(), [&](std::size_t i) {
        if (led[i].w != 0) return;
        const Float4& v = velocity[i];
        const bool free = step.is_solid(i) || length(v.xyz()) < least_speed_[body[i]];
        led[i] = {v.x, v.y, v.z, free ? out : reach};
    });
    return false;
}

} // namespace loam
