// The fluid that white water rides on: as frames tell it, between frames, and sorted so that what is near is found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/instruction_set.h"
#include "cache/frame.h"
#include "neighbors/grid.h"
#include "neighbors/list.h"
#include "passes/pair_view.h"

namespace loam {

struct FluidFrame {
    double time = 0; // [s]
    std::vector<Vec3d> positions;
    std::vector<Float4> velocities; // w: nothing
    std::vector<std::uint32_t> ids; // rising

    std::size_t size() const { return positions.size(); }
};

// The particles of some bodies; by_body[b]: whether b is one of them.
Result<FluidFrame> fluid_of(const Frame& frame, const std::vector<bool>& by_body);

struct FluidSpace {
    double reach = 0; // who is farther away is not near [m]
    bool flat = false;
    Vec3d begin, period; // 0 along axes that are not periodic
    InstructionSet isa = InstructionSet::scalar;
};

// The particles of a frame on their way there from the frame before, on cubic curves that fit both velocities. What was
// not there before came straight.
class FluidMotion {
public:
    FluidMotion(const FluidFrame& before, const FluidFrame& after, const FluidSpace& space);

    double seconds() const { return after_.time - before_.time; }
    const FluidFrame& after() const { return after_; }
    Vec3d position(std::size_t particle, double share) const; // share: of the way in time, 0 to 1
    Vec3d velocity(std::size_t particle, double share) const;
    FluidFrame at(double share) const;
    double usual_speed() const; // that few exceed

private:
    const FluidFrame& before_;
    const FluidFrame& after_;
    const FluidSpace& space_;
    std::vector<std::uint32_t> matches_; // in `before`
};

class FluidNow {
public:
    FluidNow(const FluidFrame& fluid, const FluidSpace& space);

    // Mean velocities of the fluid around places, and in w how many particles are near; in the order of the places.
    std::vector<Float4> flow_at(std::span<const Float4> places) const;

    // In the order of the fluid's particles:
    struct Unrest {
        std::vector<float> clash; // how fast neighbors come nearer, of full surroundings [m/s]
        std::vector<float> crest; // how much the surface bends outwards where it moves outwards; else 0
        std::vector<float> crowd; // how much of full surroundings is there
    };
    Unrest unrest() const;

private:
    PairView pairs(const NeighborList& list, const Float4* queries) const;
    std::vector<Float4> normals(std::span<const Float4> lean) const;

    FluidSpace space_;
    CellFrame frame_;
    Grid grid_;
    std::vector<std::uint32_t> order_;        // of the fluid's particles
    std::vector<Float4> places_, velocities_; // sorted, with one more for padding
    float full_;                              // sum of weights in full surroundings
};

} // namespace loam
