// The shape of elastic bodies at rest: where their particles were when they entered, and the bonds between neighbors.
//
//   bond i -> j   X = X_j - X_i,   weight w = V_j |dW/dr| / r                      total-Lagrangian SPH
//   M_i = sum_j w X X^T,   L_i = M_i^-1     so that gradients of linear fields are exact (Ganzenmueller 2015)
//
// Where neighbors are too few, or lie in a plane or a line, M_i cannot be inverted: L_i is then its inverse in the
// directions that they span, and `null` tells the directions about which nothing is known.
#pragma once

#include <vector>

#include "base/blocks.h"
#include "particles/pool.h"
#include "passes/kernel.h"

namespace loam {

// Bonds of all particles, each particle's padded to whole lanes by bonds of weight 0 to itself.
struct Bonds {
    std::vector<std::uint32_t> begin; // by particle, and the end of the last
    std::vector<std::uint32_t> other; // slot
    std::vector<float> x, y, z;       // X
    std::vector<float> weight;        // w; 0 once broken
};

using BondPair = std::pair<std::uint32_t, std::uint32_t>; // slots

class Reference {
public:
    // One body's particles are neighbors in slot order.
    struct BodyRange {
        std::uint32_t body = 0;
        Range slots{0, 0};
        Vec3d center; // mean place at rest
    };
    struct Particle {
        Vec3d position;
        std::uint32_t body = 0;
        float volume = 0;
    };

    // An order in which neighbors are near in memory: by body, then along a space-filling curve.
    static std::vector<std::uint32_t> spatial_order(const std::vector<Particle>& particles, double spacing);

    void build(std::vector<Particle> particles, const Kernel& kernel, const Vec3d& periodic_length);

    std::size_t size() const { return particles_.size(); }
    const Particle& operator[](std::size_t slot) const { return particles_[slot]; }
    const Bonds& bonds() const { return bonds_; }
    const std::vector<BodyRange>& bodies() const { return bodies_; }
    const std::vector<Float4>& inverse_first() const { return inverse_first_; } // L: xx xy xz yy
    // yz zz; z: 1 where zero-energy modes are held, else 0; w: inverse of the moment along n where that is not known
    const std::vector<Float4>& inverse_second() const { return inverse_second_; }
    // xyz n: w 1: nothing is known along n; w -1: nothing but along n; w -2: nothing at all; w 0: all is known.
    const std::vector<Float4>& null() const { return null_; }
    bool is_loose(std::size_t slot) const { return bonds_of(slot) == 0; } // has no bond left

    // Breaks a bond for both of its particles. Call refresh() once all that break have been broken.
    void break_bond(std::size_t slot, std::size_t bond);
    void refresh();
    void break_all_of(std::size_t slot);
    // By index into bonds(), for saving; broken_ones() grows, it never shrinks.
    const std::vector<std::uint32_t>& broken() const { return broken_; }
    void break_these(const std::vector<std::uint32_t>& bonds);
    // The slots of broken bonds, each bond once from either side; and to break them again in another reference.
    std::vector<BondPair> broken_pairs() const;
    void break_pairs(const std::vector<BondPair>& pairs);

    // Bonds from free particles to clamped ones end at anchors on the face between them (clamps.h): slots behind those
    // of the particles, without bonds of their own. What is clamped keeps bonds to its like only.
    struct Anchor {
        std::uint32_t to = 0; // the clamped particle
        Vec3d arm;            // from there to the anchor, at rest
    };
    void clamp(const std::vector<std::uint8_t>& clamped);
    void unclamp();
    const std::vector<Anchor>& anchors() const { return anchors_; }
    std::size_t slots() const { return size() + anchors_.size(); }
    std::uint32_t particle_of(std::uint32_t slot) const { return slot < size() ? slot : anchors_[slot - size()].to; }
    Vec3d place_of(std::uint32_t slot) const { // an anchor's too
        return slot < size() ? particles_[slot].position
                             : particles_[particle_of(slot)].position + anchors_[slot - size()].arm;
    }

private:
    struct Loosened { // a bond as it was before clamp()
        std::uint32_t slot = 0, bond = 0, other = 0;
        Vec3d way;
        float weight = 0;
        double share = 0; // of the way to the face; 0 for bonds of clamped particles
    };
    double share_before_face(std::size_t slot, std::size_t bond, const std::vector<std::uint8_t>& clamped) const;
    std::size_t bonds_of(std::size_t slot) const;
    void find_bodies();
    void find_bonds(const Kernel& kernel, const Vec3d& periodic_length);
    void invert(std::size_t slot);

    std::vector<Particle> particles_;
    Bonds bonds_;
    std::vector<BodyRange> bodies_;
    std::vector<Float4> inverse_first_, inverse_second_, null_;
    std::vector<std::uint32_t> broken_, changed_;
    std::vector<Anchor> anchors_;
    std::vector<Loosened> loosened_;
    int dimensions_ = 3;
};

} // namespace loam
