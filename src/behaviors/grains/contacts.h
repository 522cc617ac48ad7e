// Where grains touch each other, other solids and walls; and an order in which all contacts can be worked on at once.
//
// The pool is sorted in space and cut into tiles of as many particles. Contacts within a tile are worked on by one
// thread, several times over while they are in its cache; then those between tiles, in rounds. Within a round no
// particle takes part in two contacts, so lanes and threads do not get in each other's way and the result is the same
// for any number of threads; and each sees what those before it did, as in Gauss-Seidel.
#pragma once

#include <utility>
#include <vector>

#include "behaviors/behavior.h"
#include "behaviors/grains/sweep.h"

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
    // What is found; in the next step where it begins. Sweeps keep it in lanes.
    float push = 0;            // impulse along the normal [N s]; force of springs
    Vec3f drag;                // across it; how far springs are stretched [m]
    Vec3f roll;                // angular impulse against rolling [N m s]
    float target = 0;          // least speed along the normal
    float ahead = 0;           // how far a bounce from a wall that began at once is ahead of its time [m]
    std::uint32_t wall = none; // its record of motion
    std::uint32_t slot = none; // in lanes: slot / width, slot % width; `none` has to wait for the next step
};

// The particles as contacts see them; by index in the pool.
struct GrainPool {
    std::vector<float> radius;       // 0: not a grain now
    std::vector<Float4> approach;    // velocity, and the radius once more; one more behind the last, which is nowhere
    std::vector<float> inverse_mass; // 0 for what is held
    std::vector<float> inverse_inertia; // about the center; 0 for all but grains
};

class GrainContacts {
public:
    // All contacts of this step, with what those of the step before ended with, in lanes times `longer`.
    void find(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces, float longer);
    bool with_others() const { return with_others_; } // some touch solids that are not grains
    // What they have come to is where the next step begins.
    void remember(const StepContext& step);

    template <class Work> void each_in_order(const Work& work) const {
        for (const Tile& tile : tiles_)
            for (const GrainContact& c : tile.contacts) work(c);
    }
    template <class Work> void each(const Work& work) {
        parallel_blocks(tiles_.size(), 1, [&](Range range, std::size_t) {
            for (std::size_t t = range.begin; t != range.end; ++t)
                for (GrainContact& c : tiles_[t].contacts) work(c);
        });
    }

    // The same in lanes, by their slots.
    std::span<GrainLanes> lanes() { return lanes_; }
    void put_impulse(const GrainContact& contact, float push, const Vec3f& drag, const Vec3f& roll);
    // Back into each() that has a slot; and work(contact).
    template <class Work> void take_impulses(const Work& work) {
        each([&](GrainContact& c) {
            if (c.slot == GrainContact::none) return;
            take_impulse(c);
            work(std::as_const(c));
        });
    }
    Vec3f impulse(const GrainContact& contact) const;

    // Records of motion: particles, nobody, walls.
    std::size_t nobody() const { return taken_.size(); }
    std::span<const Vec3f> wall_velocities() const { return wall_velocities_; }

    // work(Range) over all of lanes(); tiles are done as often as `inner` says before what is between them.
    template <class Work> void in_order(int inner, const Work& work) {
        parallel_blocks(tiles_.size(), 1, [&](Range range, std::size_t) {
            for (std::size_t t = range.begin; t != range.end; ++t)
                for (int k = 0; k < inner; ++k) work(tiles_[t].lanes);
        });
        for (std::size_t round = 0; round + 1 < between_rounds_.size(); ++round) {
            const std::size_t first = between_rounds_[round], count = between_rounds_[round + 1] - first;
            parallel_blocks(count, round_block, [&](Range range, std::size_t) {
                work(Range{first + range.begin, first + range.end});
            });
        }
    }

    void save(std::vector<double>& to) const;
    bool restore(const std::vector<double>& from);

private:
    static constexpr std::size_t tile_size = 2 * block_size; // particles
    static constexpr std::size_t round_block = 512;          // lanes; fewer are not worth waking threads for
    struct Memory {                                          // of a contact
        std::uint32_t key = 0;
        float push = 0;
        Vec3f drag, roll;
    };
    using Rounds = std::vector<std::size_t>; // where they begin in lanes, and where the last one ends
    struct Tile {
        std::vector<GrainContact> contacts; // those of one grain after those of another
        std::vector<GrainContact*> within, between;
        Rounds rounds; // of those within
        Range lanes{};
    };

    void take_impulse(GrainContact& contact) const;
    void find_some(const StepContext& step, const GrainPool& grains, std::span<const GrainSurface> surfaces,
                   Range range, Tile& tile) const;
    Rounds put_in_rounds(std::span<GrainContact* const> contacts);
    void put_into_lanes(const Rounds& rounds, std::size_t first, std::span<GrainContact* const> contacts, float longer);
    std::span<const Memory> remembered(std::uint32_t id) const;

    std::vector<Tile> tiles_;
    Rounds between_rounds_;
    std::vector<GrainContact*> between_;
    std::vector<GrainLanes> lanes_;
    std::vector<Vec3f> wall_velocities_;
    bool with_others_ = false;
    std::vector<std::uint64_t> taken_; // by particle: rounds in which it takes part
    struct Memories {
        std::uint32_t tile = 0, begin = 0, end = 0; // behind the last
    };
    std::vector<Memories> memories_of_;         // by the id of particle i
    std::vector<std::vector<Memory>> memories_; // by tile
};

} // namespace loam
