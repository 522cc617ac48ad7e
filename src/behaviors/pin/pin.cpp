// Pins: particles that are held, in place or along a motion, until they are let go. For every material.
#include "behaviors/behavior.h"
#include "particles/shapes/animated_mesh.h"

namespace loam {
namespace {

class Pin : public Behavior {
public:
    explicit Pin(std::vector<PinFacts> holds) : holds_(std::move(holds)) {}

    Status prepare(StepContext& step) override;
    Status apply_implicit(StepContext& step) override { return lead(step); }
    Status before_motion(StepContext& step) override { return lead(step); }
    // Nothing pushes what is held: fluids must not take it for something that gives way.
    void constrain(StepContext& step, FieldKind kind, std::span<Float4> field) override;

private:
    // Gives what is held the velocity that brings it where it shall be at the end of the step.
    Status lead(StepContext& step);

    std::vector<PinFacts> holds_;
    Column<Vec3d> rest_; // before the motion
};

Status Pin::prepare(StepContext& step) {
    Pool& pool = step.particles;
    pool.declare_pin();
    rest_ = pool.declare<Vec3d>({.name = "pin_rest", .unit = "m", .saved = true});
    const auto position = pool[pool.position], rest = pool[rest_];
    const auto body = pool[pool.body], pin = pool[pool.pin];
    for (std::size_t h = 0; h < holds_.size(); ++h) {
        const PinFacts& hold = holds_[h];
        const Pose start = pose_at(hold.follows ? hold.follows_along : hold.motion, step.time);
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

void Pin::constrain(StepContext& step, FieldKind kind, std::span<Float4> field) {
    if (kind == FieldKind::velocity) return; // which is led
    const auto pin = step.particles[step.particles.pin];
    parallel_each(field.size(), [&](std::size_t i) {
        if (pin[i] != 0) field[i] = {0, 0, 0, field[i].w};
    });
}

Status Pin::lead(StepContext& step) {
    if (!(step.dt > 0)) return Done{};
    Pool& pool = step.particles;
    std::vector<Pose> poses;
    std::vector<MeshMomentPtr> moments; // of those that follow a surface
    const double end = step.time + step.dt;
    for (const PinFacts& hold : holds_) {
        poses.push_back(pose_at(hold.follows ? hold.follows_along : hold.motion, end));
        moments.push_back(hold.follows ? animation_of(*hold.follows)->at(end) : nullptr);
    }
    const auto position = pool[pool.position], rest = pool[rest_];
    const auto velocity = pool[pool.velocity];
    const auto pin = pool[pool.pin];
    parallel_each(pool.size(), [&](std::size_t i) {
        if (pin[i] == 0) return;
        const std::size_t h = pin[i] - 1;
        if (step.time >= holds_[h].until) {
            pin[i] = 0;
            return;
        }
        const Vec3d own =
            moments[h]
                ? AnimatedMesh::carried(animation_of(*holds_[h].follows)->anchored({&rest[i], 1}).front(), *moments[h])
                      .position
                : rest[i];
        velocity[i] = float4((poses[h].point(own) - position[i]) / step.dt, velocity[i].w);
    });
    return Done{};
}

const RegisterImplied pin{{
    .declaration = {.name = "pin", .help = "Holds parts of bodies."},
    // First, so that laws that act on velocities find what is held as it will move.
    .acts = {{Stage::prepare, {reads("position")}},
             {Stage::implicit, {sets("velocity")}},
             {Stage::before_motion, {sets("velocity")}},
             {Stage::constrain, {sets("field")}}},
    .make = [](const StepContext& step) -> std::unique_ptr<Behavior> {
        if (step.scene.pins.empty()) return nullptr;
        return std::make_unique<Pin>(step.scene.pins);
    },
}};

} // namespace
} // namespace loam
