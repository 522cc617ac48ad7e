// Between rigid bodies and their particles.
#pragma once

#include <span>
#include <vector>

#include "behaviors/rigid/body.h"
#include "particles/slot_map.h"
#include "passes/context.h"

namespace loam {

class RigidParticles {
public:
    void declare(StepContext& step);
    // Adds the particles of the next body, which gets their slots.
    void add(RigidBody& body, std::span<const MassPoint> points);
    // Tells particles, by index in the pool, that they are those of the body; in the same order.
    void mark(StepContext& step, const RigidBody& body, std::span<const std::uint32_t> indices);
    void release(StepContext& step, const RigidBody& body);
    // Takes up the masses that the particles of a body have now; whether any is another one.
    bool weigh(const StepContext& step, const RigidBody& body);
    std::span<const MassPoint> points(const RigidBody& body) const {
        return std::span(points_).subspan(body.begin, body.end - body.begin);
    }
    // Where they are from a center that has moved within the body.
    void measure_from(const RigidBody& body);
    void release_all(StepContext& step);
    std::vector<std::uint32_t> indices(const StepContext& step, const RigidBody& body); // in the pool; some may be gone
    void clear();

    // Makes a field the motion of rigid bodies that has the same momentum and angular momentum. The particles count as
    // points here: only so a rigid field stays as it is. What their extent does to the inertia comes in with take().
    void project(const StepContext& step, std::span<const RigidBody> bodies, FieldKind kind, std::span<Float4> field);
    // The mean by mass, for all particles of a body.
    void unite(const StepContext& step, std::span<const RigidBody> bodies, std::span<float> quantity);
    // What the velocities of bodies have not taken up yet of gravity (step/motion.h).
    std::vector<Vec3d> lacks(const StepContext& step, std::span<const RigidBody> bodies);
    // Gives bodies the impulses that the particles got since give_velocities().
    void take_impulses(const StepContext& step, std::span<RigidBody> bodies);
    void give_velocities(StepContext& step, std::span<const RigidBody> bodies);
    void give_positions(StepContext& step, std::span<const RigidBody> bodies);
    // After the bodies have turned: where particles are from their centers.
    void turn(std::span<const RigidBody> bodies);

    const std::vector<MassPoint>& at_rest() const { return points_; } // by slot

private:
    struct Part { // of a body: the unit of parallel work
        std::uint32_t body;
        std::size_t begin, end;
    };
    struct Sums {
        Vec3d linear, angular;
    };
    template <class Value> std::vector<Sums> sums(std::size_t bodies, const Value& value) const;

    static constexpr std::uint32_t gone = SlotMap::gone; // particles that have left the scene

    SlotMap slots_;
    std::vector<Part> parts_;
    // By slot:
    std::vector<MassPoint> points_; // where they were when the body was made
    std::vector<Vec3d> rest_;       // from the center of mass, at rest
    std::vector<Float4> arm_;       // from the center of mass, now; w: mass
};

std::vector<MassPoint> points_of(const Pool& pool, std::span<const std::uint32_t> particles);
std::vector<Vec3d> velocities_of(const Pool& pool, std::span<const std::uint32_t> particles);

} // namespace loam
