// Between rigid bodies and their particles. Particles of bodies have slots, which never change; where each one is in
// the pool changes whenever the pool is sorted.
#pragma once

#include <span>
#include <vector>

#include "behaviors/rigid/body.h"
#include "passes/context.h"

namespace loam {

class RigidParticles {
public:
    void declare(StepContext& step);
    // Adds a body's particles, by index in the pool; the body gets their slots.
    void add(StepContext& step, RigidBody& body, std::span<const std::uint32_t> indices);

    // Makes a field the motion of rigid bodies that has the same momentum and angular momentum. The particles count as
    // points here: only so a rigid field stays as it is. What their extent does to the inertia comes in with take().
    void project(const StepContext& step, std::span<const RigidBody> bodies, std::span<Float4> field, bool of_velocity);
    // Gives bodies the impulses that the particles got since give_velocities().
    void take_impulses(const StepContext& step, std::span<RigidBody> bodies);
    void give_velocities(StepContext& step, std::span<const RigidBody> bodies);
    void give_positions(StepContext& step, std::span<const RigidBody> bodies);
    // After the bodies have turned: where particles are from their centers.
    void turn(std::span<const RigidBody> bodies);

    std::span<const Vec3d> rest_arms() const { return rest_; }

private:
    struct Part { // of a body: the unit of parallel work
        std::uint32_t body;
        std::size_t begin, end;
    };
    struct Sums {
        Vec3d linear, angular;
    };
    template <class Value> std::vector<Sums> sums(std::size_t bodies, const Value& value) const;
    void find_indices(const StepContext& step);

    static constexpr std::uint32_t gone = UINT32_MAX; // particles that have left the scene

    Column<std::uint32_t> slot_; // slot + 1; 0: none
    std::vector<Part> parts_;
    // By slot:
    std::vector<Vec3d> rest_; // from the center of mass, at rest
    std::vector<Float4> arm_; // from the center of mass, now; w: mass
    std::vector<std::uint32_t> index_;
    std::uint64_t order_ = UINT64_MAX; // of the pool, that index_ is of
};

} // namespace loam
