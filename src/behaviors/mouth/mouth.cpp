// What an emitter lets out keeps its velocity until it is out of reach of what is born after it.
#include "base/parallel.h"
#include "behaviors/behavior.h"

namespace loam {
namespace {

class Mouth : public Behavior {
public:
    Status prepare(StepContext& step) override {
        led_ = step.particles.declare<Float4>({.name = "mouth", .unit = "m/s", .saved = true});
        return Done{};
    }

    Status before_motion(StepContext& step) override {
        const auto led = step.particles[led_], velocity = step.particles[step.particles.velocity];
        const auto dt = static_cast<float>(step.dt);
        parallel_each(led.size(), [&](std::size_t i) {
            Float4& l = led[i];
            if (!(l.w > 0)) return;
            velocity[i] = {l.x, l.y, l.z, velocity[i].w};
            l.w -= dt * static_cast<float>(length(l.xyz_double()));
        });
        return Done{};
    }

    // The speed of an emitter may be keyed from or to 0, and what it lets out then would hang in the air.
    void born(StepContext& step, const Renewal& renewal) override {
        const Pool& pool = step.particles;
        const auto led = step.particles[led_];
        for (std::size_t i = renewal.born.begin; i != renewal.born.end; ++i) {
            const bool emitted = renewal.parents[i - renewal.born.begin] == Renewal::no_parent;
            const Float4& v = pool[pool.velocity][i];
            const bool slow = length(v.xyz()) < step.scene.slowest_led[pool[pool.body][i]];
            led[i] = {v.x, v.y, v.z, !emitted || slow || step.is_solid(i) ? 0 : step.scene.kernel.support};
        }
    }

private:
    Column<Float4> led_; // velocity, w: how far it has still to go with it [m]
};

const RegisterImplied mouth{{
    .declaration = {.name = "mouth", .help = "What emitters let out keeps its velocity at first."},
    .acts = {{Stage::prepare, {}}, {Stage::before_motion, {sets("velocity")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        if (step.scene.slowest_led.empty()) return nullptr;
        return std::make_unique<Mouth>();
    },
    .from_outside = true,
}};

} // namespace
} // namespace loam
