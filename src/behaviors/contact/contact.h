// Contacts of solids: between particles of different bodies, within a body that folds onto itself, and with walls.
//
// A law makes its bodies touch by telling so (BodyTraits::touches), and in prepare(), for each of their particles:
//     step.particles[rest_places(step.particles)][i] = rest_place(X, body);           X where it was at rest
// Particles of one body touch when they were farther apart at rest than the kernel's support; a law whose bodies never
// touch themselves gives all particles the same X. Where a body cracks, mark_crack() lets particles touch that were
// neighbors. The law README.md tells the method.
#pragma once

#include "behaviors/behavior.h"
#include "behaviors/sheets/inertia.h"

namespace loam {

Column<Float4> rest_places(Pool& pool); // declares the column: xyz X; w: body + 1, below 0 at cracks, 0: does not touch
inline Float4 rest_place(const Vec3d& at_rest, std::uint32_t body, bool cracked = false) {
    return float4(at_rest, cracked ? -1.0 - body : 1.0 + body);
}

class Contact : public Behavior {
public:
    Status prepare(StepContext& step) override;
    Status before_motion(StepContext& step) override;
    Status after_motion(StepContext& step) override;

private:
    static constexpr std::uint32_t wall = UINT32_MAX;
    // One side of a contact; the other particle has its mirror image, with the same numbers.
    struct Touch {
        std::uint32_t other = wall; // particle, or `wall`
        float friction = 0, restitution = 0;
        double gap = 0;         // distance beyond that at which the surfaces meet
        double least_speed = 0; // with which they may move apart; below 0: together
        Vec3d normal;           // away from the other
        Vec3d wall_velocity;    // of a wall's surface
        double push = 0;        // impulse along the normal so far
        Vec3d drag;             // and across it
    };

    void find_touches(StepContext& step);
    void add_touches(const StepContext& step, std::size_t i, std::vector<Touch>& to) const;
    Touch meet(const StepContext& step, std::size_t i, std::size_t j, double reach) const;
    double inverse_mass(const StepContext& step, std::size_t i) const;
    double solve(StepContext& step); // one iteration; returns the largest change of velocity

    Column<Float4> rest_;
    Inertia inertia_;
    std::vector<std::uint32_t> counts_;   // by particle: how many others may touch it
    std::vector<std::uint32_t> touching_; // particles that touch anything
    std::vector<std::uint32_t> begin_;    // of their touches
    std::vector<std::uint32_t> share_;    // by particle: how many touches it takes part in
    std::vector<Touch> touches_;
    std::vector<Vec3d> change_; // of velocity, or of place, by touching_
};

} // namespace loam
