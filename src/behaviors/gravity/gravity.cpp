// Gravity: a_i = g.
#include "behaviors/behavior.h"

namespace loam {
namespace {

class Gravity : public Behavior {
public:
    explicit Gravity(const BodyValues& values) { set(values); }

    void set(const BodyValues& values) override {
        gravity_.clear();
        for (std::size_t b = 0; b < values.size(); ++b)
            gravity_.push_back(values.uses(b) ? float4(values[b].vector("acceleration")) : Float4{});
        weight_ = values.numbers("weight");
    }

    Status prepare(StepContext& step) override {
        step.particles.declare_gravity();
        return Done{};
    }

    void apply(StepContext& step) override {
        Pool& pool = step.particles;
        const auto body = pool[pool.body];
        const auto acceleration = pool[pool.acceleration], gravity = pool[pool.gravity];
        const auto weight = weight_.of(pool);
        parallel_each(pool.size(), [&](std::size_t i) {
            Float4& a = acceleration[i];
            const Float4& g = gravity_[body[i]];
            const float w = weight[i];
            gravity[i] = {w * g.x, w * g.y, w * g.z, 0};
            a = {a.x + gravity[i].x, a.y + gravity[i].y, a.z + gravity[i].z, a.w};
        });
    }

private:
    std::vector<Float4> gravity_; // by body
    Numbers weight_;
};

// Free fall from the highest particle to the end of the scene.
double fall_speed(const Values& values, const SceneScale& scene) {
    const Vec3d g = values.vector("acceleration");
    double energy = 0; // per mass: g times the height, axis by axis
    for (std::size_t axis = 0; axis < 3; ++axis)
        energy += g[axis] > 0 ? g[axis] * (scene.bounds.hi[axis] - scene.filled.lo[axis])
                              : -g[axis] * (scene.filled.hi[axis] - scene.bounds.lo[axis]);
    return std::sqrt(2 * std::min(energy, 1e3 * length(g)));
}

const RegisterBehavior gravity{{
    .declaration = {.name = "gravity",
                    .help = "Accelerates every particle of a body alike.",
                    .properties = {vector("acceleration", "m/s^2", {0, -9.81, 0}, "The acceleration; y points up.")}},
    .form = Form::single,
    .acts = {{Stage::prepare, {}}, {Stage::force, {changes("acceleration"), sets("gravity")}}},
    .make = make_behavior<Gravity>,
    .from_outside = true,
    .expected_speed = fall_speed,
}};

} // namespace
} // namespace loam
