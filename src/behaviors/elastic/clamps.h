// Where pins clamp a body: up to the face of the last particle that is held, midway to the first free one.
//
//   bond i -> j, i free, j held:   X' = s X,   w' = w / s^2,   u' = u_face - u_i        s = 1/2 between next neighbors
//   u_face = u_j + (R - 1) (X_face - X_j)                                               R the turn of the pin
//
// Bonds end at anchors on the face, slots of their own that go with the pin, and what is held has no strain (the moduli
// are 0). So a field that is linear from the face on has its own gradient up to the first particle, and on a lattice
// moments and forces are those of the inside. With bonds to the particles themselves a clamp is half a spacing behind.
//
// A pin that holds a single particle, or in 3D those of a line, lets the body turn about it: that is no clamp.
#pragma once

#include <array>

#include "behaviors/elastic/body_frame.h"
#include "passes/context.h"

namespace loam {

class Clamps {
public:
    // Which particles are clamped, by slot; says whether that has changed.
    bool look(const StepContext& step, const SlotMap& slots, const Reference& reference);
    void forget() { pin_.clear(), clamped_.clear(), grips_.clear(); } // other particles have entered
    const std::vector<std::uint8_t>& clamped() const { return clamped_; }
    bool clamps(std::size_t slot) const { return slot < clamped_.size() && clamped_[slot] != 0; }

    // Displacements and velocities of the anchors, behind those of the particles.
    void place_anchors(const Pool& pool, const SlotMap& slots, const Reference& reference,
                       const std::vector<BodyFrame>& frames, std::vector<Float4>& displacement) const;
    void move_anchors(const StepContext& step, const SlotMap& slots, const Reference& reference,
                      const std::vector<BodyFrame>& frames, std::vector<Float4>& velocity) const;

private:
    struct Grip {                             // what a pin holds
        std::array<std::uint32_t, 3> slots{}; // not in a line: these tell how it has turned
        std::size_t frame = 0;                // of the body
        bool clamps = false;
    };
    Grip grip_of(std::uint32_t pin, const Reference& reference) const;
    // Turn of a pin from rest, once particles have gone on for some seconds.
    Mat3 turn_of(const Grip& grip, const Pool& pool, const SlotMap& slots, const Reference& reference,
                 const BodyFrame& frame, double seconds) const;

    int dimensions_ = 3;
    std::vector<std::uint32_t> pin_;    // by slot: which holds it, from 1; 0: none
    std::vector<std::uint8_t> clamped_; // by slot
    std::vector<Grip> grips_;           // by pin
};

} // namespace loam
