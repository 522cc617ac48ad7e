// Where grains touch each other, other solids and walls; and an order in which all contacts can be worked on at once.
//
// Contacts are put into rounds: within a round no particle takes part in two of them, so a round can be done by any
// number of threads with the same result, and one round sees what those before it did, as in Gauss-Seidel.
#pragma once

#include <vector>

#include "behaviors/behavior.h"

namespace loam {

// By body of the scene.
struct GrainSurface {
    bool grains = false; // it has the behavior, and enough weight
    bool springs = false;
    float density = 0, friction = 0, rolling = 0, restitution = 0, cohesion = 0, stiffness = 0;
};

struct GrainContact {
    static constexpr std::uint32_t none = UINT32_MAX;
    std::uint32_t i = 0, j = none; // particles; i is a grain, j may be `none`: a wall
    std::uint32_t key = 0;      // of the other: id of a particle, or one above all ids that stands for a wall or solid
    Vec3f normal;               // towards i
    Vec3f surface_velocity;     // of a wall
    float arm_i = 0, arm_j = 0; // from the centers to the contact; 0 where nothing turns
    float gap = 0;              // below 0: they overlap
    float friction = 0, rolling = 0, restitution = 0;
    float bond = 0;      // largest pull [N], by cohesion
    float stiffness = 0; // of springs [N/m]; 0: impulses
    // What the laws find; in the next step where they begin.
    float push = 0;              // impulse along the normal [N s]; force of springs
    Vec3f drag;                  // across it; how far springs are stretched [m]
    Vec3f roll;                  // angular impulse against rolling [N m s]
    float target = 0;            // least speed along the normal
    float ahead = 0;             // how far a bounce from a wall that began at once is ahead of its time [m]
    float wanted = 0, moved = 0; // displacements that take overlaps back: see impulses.h
};

// The particles as contacts see them; by index in the pool.
struct GrainPool {
    std::vector<float> radius;          // 0: not a grain now
    std::vector<float> inverse_mass;    // 0 for what is held
    std::vector<float> inverse_inertia; // about the center; 0 for all but grains
};

class GrainContacts {
public:
    // All contacts of this step, in rounds, with what those of the step before ended with.
    void find(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces);

    std::span<GrainContact> all() { return contacts_; }
    std::span<const GrainContact> all() const { return contacts_; }
    bool with_others() const { return with_others_; } // some touch solids that are not grains
    // What they have come to is where the next step begins.
    void remember(const StepContext& step);

    // work(contact) for each, round by round.
    template <class Work> void in_rounds(const Work& work) {
        for (std::size_t round = 0; round + 1 < rounds_.size(); ++round) {
            GrainContact* const begin = contacts_.data() + rounds_[round];
            parallel_blocks(rounds_[round + 1] - rounds_[round], round_block, [&](Range range, std::size_t) {
                for (std::size_t k = range.begin; k != range.end; ++k) work(begin[k]);
            });
        }
    }

    void save(std::vector<double>& to) const;
    bool restore(const std::vector<double>& from);

private:
    static constexpr std::size_t round_block = 4096; // fewer are not worth waking threads for
    struct Memory {                                  // of a contact
        std::uint32_t key = 0;
        float push = 0;
        Vec3f drag, roll;
    };

    void find_some(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces,
                   Range range, std::vector<GrainContact>& to) const;
    void put_in_rounds(std::size_t particles);
    const Memory* remembered(std::uint32_t id, std::uint32_t key) const;

    std::vector<GrainContact> contacts_;
    std::vector<std::size_t> rounds_; // where they begin
    bool with_others_ = false;
    // By the id of particle i: where its memories begin.
    std::vector<std::uint32_t> memory_begin_;
    std::vector<Memory> memories_;
    std::vector<GrainContact> unsorted_;
    std::vector<std::uint64_t> taken_; // by particle: rounds in which it takes part
    std::vector<std::uint8_t> round_of_;
};

} // namespace loam
