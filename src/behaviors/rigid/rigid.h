// Rigid bodies: see README.md. The parts are mass and motion (body.h), the way between bodies and particles
// (particles.h), contacts (contact.h) and the impulses that they give (impulses.h).
#pragma once

#include "behaviors/behavior.h"
#include "behaviors/rigid/impulses.h"
#include "behaviors/rigid/particles.h"

namespace loam {

inline constexpr double rigid_weight = 0.5; // bodies and particles with less are not rigid

// What a scene says about a body.
struct RigidValues {
    bool used = false;
    bool rigid = false; // its weight is enough
    bool held = false;
    double release = 0;
    bool no_slip = false;
    bool turns = true;
};

class Rigid : public Behavior {
public:
    explicit Rigid(const BodyValues& values) { set(values); }
    void set(const BodyValues& values) override;

    // Along walls it is braked by its contacts.
    void tell(std::size_t body, BodyTraits& traits) const override {
        if (!active_[body]) return;
        traits.own_contacts = !differs_[body]; // what has melted has none
        traits.no_slip |= values_[body].no_slip;
        for (const RigidBody& own : bodies_) traits.held |= own.body == body && own.held && !own.left;
    }
    Status prepare(StepContext& step) override;
    Status begin(StepContext& step) override;

    void constrain(StepContext& step, FieldKind kind, std::span<Float4> field) override {
        particles_.project(step, bodies_, kind, field);
    }

    // Before pressure, so that it does not have to hold up what stands on the ground; and after it.
    Status apply_implicit(StepContext& step) override {
        step.profile.time("rigid contacts", [&] { resolve_contacts(step); });
        return Done{};
    }
    Status before_motion(StepContext& step) override {
        step.profile.time("rigid contacts", [&] { resolve_contacts(step); });
        return Done{};
    }
    Status after_motion(StepContext& step) override {
        step.profile.time("rigid motion", [&] { move(step); });
        return Done{};
    }

    void unite(StepContext& step, std::span<float> quantity) override { particles_.unite(step, bodies_, quantity); }

    // Where a frame is due particles have caught up with gravity.
    Status transfer(StepContext& step) override {
        particles_.take_impulses(step, bodies_);
        return Done{};
    }

    std::optional<BodyPose> pose(std::size_t body) const override {
        const RigidBody* own = only_one_of(bodies_, body);
        return own ? std::optional(BodyPose{own->center, rotation_vector(own->turn), own->velocity, own->spin})
                   : std::nullopt;
    }
    void save(SavedState& state) const override;
    Status restore(StepContext& step, const SavedState& state) override;

private:
    // How a body got its shape for contacts.
    struct Origin {
        bool shaped = false;  // from the shape of the scene's body, else from its particles
        bool several = false; // one of several pieces
    };

    // Makes bodies of the particles where they are now, with the momentum that they have.
    Status enter(StepContext& step, std::uint32_t b, bool shaped);
    void enter(StepContext& step, std::uint32_t b, const std::vector<std::uint32_t>& own, bool shaped);
    void leave(StepContext& step, std::uint32_t b);
    // Where particles have melted or frozen: those of such bodies are made anew, all others stay as they are.
    std::vector<std::uint32_t> members(const StepContext& step, std::uint32_t b) const;
    bool renew(StepContext& step);
    void keep_only(StepContext& step, const std::vector<std::uint8_t>& made_anew);
    void give_motion(StepContext& step);
    // With this inertia, or with that of the points.
    RigidBody& make_body(const StepContext& step, std::uint32_t b, std::span<const MassPoint> points, Origin origin,
                         const std::optional<Matrix3>& inertia);
    Status check_overlaps(const StepContext& step) const;
    bool is_held(const StepContext& step, std::uint32_t b, double time) const {
        return (values_[b].held || step.scene.bodies[b].motion.moves()) && time < values_[b].release;
    }

    ContactSearch contact_search(const StepContext& step) const;
    void resolve_contacts(StepContext& step);
    void move(StepContext& step);

    // By body of the scene:
    std::vector<RigidValues> values_;
    std::vector<SurfaceValues> surface_;
    Numbers weight_;
    std::vector<std::uint8_t> differs_;               // whether some of its particles may be rigid and others not
    std::vector<std::uint8_t> active_;                // whether its particles are rigid now
    std::vector<std::vector<std::uint32_t>> members_; // ids, in order; where particles differ
    // By rigid body:
    std::vector<RigidBody> bodies_;
    std::vector<SolidSurface> surfaces_;
    std::vector<Origin> origins_;
    std::vector<Vec3d> lacks_at_start_; // of this step
    std::vector<ContactSolver::Motion> motion_at_start_;

    RigidParticles particles_;
    ContactSolver solver_;
    bool contacts_known_ = false; // of this step
};

} // namespace loam
