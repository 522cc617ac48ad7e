// All rigid bodies of a scene, with their surfaces and particles: made, left, weighed, saved.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "behaviors/behavior.h"
#include "behaviors/rigid/particles.h"
#include "particles/solid_surface.h"

namespace loam {

class RigidBodies {
public:
    // How a body got its shape for contacts.
    struct Origin {
        bool shaped = false;  // from the shape of the scene's body, else from its particles
        bool several = false; // one of several pieces
    };

    std::vector<std::uint8_t> turns; // by body of the scene: whether it may

    std::vector<RigidBody>& all() { return bodies_; }
    const std::vector<RigidBody>& all() const { return bodies_; }
    const std::vector<SolidSurface>& surfaces() const { return surfaces_; }
    RigidParticles& particles() { return particles_; }

    // One of body b of the scene, with this inertia, or with that of the points.
    RigidBody& make(const StepContext& step, std::uint32_t b, std::span<const MassPoint> points, Origin origin,
                    const std::optional<Matrix3>& inertia);
    // Those of body b of the scene are none any more; their particles go on by themselves.
    void leave(StepContext& step, std::uint32_t b);
    // Takes out those of these bodies of the scene; all others stay as they are.
    void remove(StepContext& step, const std::vector<std::uint8_t>& of);
    // Pores take up water, and let it out again.
    void weigh(StepContext& step);
    // Gives particles the places and velocities of their bodies. All at once: it visits every particle.
    void give_motion(StepContext& step);
    // What laws of others touch, by body of the scene.
    std::vector<std::vector<SolidFace>> faces(std::size_t scene_bodies) const;

    void save(SavedState& state) const;
    // Whether the state fits.
    bool restore(StepContext& step, const SavedState& state);

private:
    void clear() { bodies_.clear(), surfaces_.clear(), origins_.clear(); }

    std::vector<RigidBody> bodies_;
    std::vector<SolidSurface> surfaces_;
    std::vector<Origin> origins_;
    RigidParticles particles_;
};

} // namespace loam
