// White water: spray, foam and bubbles that ride on a fluid and push nothing. After Ihmsen, Akinci, Akinci & Teschner
// 2012, "Unified spray, foam and air bubbles for particle-based fluids", and computed from the frames of a run.
//
//   made    a fluid particle makes  amount I_k (k_ta I_ta + k_wc I_wc)  of them per second (eq. 8), at random times on
//           its way between two frames, within its radius beside that way
//   kinds   by the number of fluid particles within reach: few, spray; some, foam; many, bubbles (section 3.2)
//   moved   spray flies; foam goes with the fluid; bubbles are dragged along by it and rise (eq. 9, 10)
//   die     foam when its time is over, spray when it meets a wall, all where the domain ends
//
//   I_k     kinetic energy: 0 at speed `slow`, 1 at `fast`, linear in the square of the speed
//   I_ta    trapped air: how fast neighbors come nearer, 0 at `calm`, 1 at `wild`
//   I_wc    wave crests: how much the surface bends outwards where it moves outwards
//
// What differs from the paper: energies and clashes are measured per mass and per full surroundings, so that they are
// speeds and do not depend on the number of particles; drag is a rate, so that it does not depend on the time step;
// and neighbors that a wall takes the place of count as if they were there, so that the water at a wall has no foam.
#pragma once

#include "foam/fluid.h"
#include "foam/obstacles.h"
#include "particles/hash.h"

namespace loam {

enum class Drop : std::uint32_t { spray, foam, bubble }; // counts into drop_names
inline const std::vector<std::string> drop_names{"spray", "foam", "bubbles"};

// All that there is to know of it: from this it goes on.
struct WhiteWater {
    std::vector<Float4> places;     // w: how long it lives on as foam [s]
    std::vector<Float4> velocities; // w: nothing
    std::vector<Drop> kinds;
    std::vector<std::uint32_t> ids; // rising
    std::uint64_t ids_given = 0;

    std::size_t size() const { return places.size(); }
};

class WhiteWaterMaker {
public:
    // `values`: of foam_declaration(). The scene must outlive it.
    WhiteWaterMaker(const Scene& scene, const Values& values, InstructionSet isa);

    // The bodies on which it rides.
    const std::vector<bool>& bodies() const { return bodies_; }
    // From one frame of the fluid to the next, whose number makes its own random numbers.
    void advance(WhiteWater& water, const FluidFrame& before, const FluidFrame& after, std::uint64_t frame);

    // How many a particle makes per second, by fluid particle; and what part of the most it could make.
    struct Births {
        std::vector<float> rates, shares;
    };
    Births births(const FluidFrame& fluid) const;
    FluidSpace space() const { return space_; }

private:
    struct Step {
        double from, to; // shares of the way between the frames
        double seconds;
    };
    void fly(WhiteWater& water, double seconds) const;
    struct Newborn {
        double when = 0; // share of the way between the frames
        Vec3d place, velocity;
        double life = 0;
    };
    std::vector<Newborn> newborns(const FluidMotion& fluid, const Births& births, std::uint64_t frame) const;
    Newborn newborn(const FluidMotion& fluid, std::size_t particle, double share, Sequence& random) const;
    void add(WhiteWater& water, std::span<const Newborn> born, const Step& step) const;
    void ride(WhiteWater& water, const FluidNow& fluid, double seconds) const;
    void meet_walls(WhiteWater& water, std::size_t drop, Float4& flow) const;
    void remove_dead(WhiteWater& water) const;
    Drop kind_of(double neighbors) const;
    double free_part(const Vec3d& place) const;

    const Scene& scene_;
    double radius_;
    double amount_, slow_, fast_, calm_, wild_, life_, rise_, most_;
    std::uint64_t seed_;
    FluidSpace space_;
    std::vector<bool> bodies_;
    Obstacles obstacles_;
    std::size_t body_ = 0; // one of those that it rides on
    Vec3d gravity_;        // of that
    Bounds domain_;
    Bounds home_; // where spray may fly without growing old
};

} // namespace loam
