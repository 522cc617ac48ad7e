// Gravity: a_i = g.
#include "behaviors/behavior.h"

namespace loam {
namespace {

class Gravity : public Behavior {
public:
    explicit Gravity(const BodyValues& values) {
        for (std::size_t b = 0; b < values.size(); ++b)
            acceleration_.push_back(values.uses(b) ? values[b].vector("acceleration") : Vec3d{});
    }

    void apply(StepContext& step) override {
        const auto body = step.particles[step.particles.body];
        const auto acceleration = step.particles[step.particles.acceleration];
        std::vector<Float4> g;
        for (const Vec3d& a : acceleration_) g.push_back(float4(a));
        parallel_each(step.particles.size(), [&](std::size_t i) {
            Float4& a = acceleration[i];
            const Float4& add = g[body[i]];
            a = {a.x + add.x, a.y + add.y, a.z + add.z, a.w};
        });
    }

private:
    std::vector<Vec3d> acceleration_; // by body
};

// Free fall through the whole scene.
double fall_speed(const Values& values, const SceneScale& scene) {
    return std::sqrt(2 * length(values.vector("acceleration")) * std::min(scene.bounds.size().y, 1e3));
}

const RegisterBehavior gravity{{
    .declaration = {.name = "gravity",
                    .help = "Accelerates every particle of a body alike.",
                    .properties = {vector("acceleration", "m/s^2", {0, -9.81, 0}, "The acceleration; y points up.")}},
    .stage = Stage::force,
    .form = Form::single,
    .make = make_behavior<Gravity>,
    .expected_speed = fall_speed,
}};

} // namespace
} // namespace loam
