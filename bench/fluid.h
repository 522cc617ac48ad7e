// What the parts work on: a block of water in a tank, with neighbors, as a step of a simulation would see it.
#pragma once

#include <cstddef>
#include <memory>

#include "passes/context.h"
#include "pressure/fields.h"

namespace loam {

class Fluid {
public:
    explicit Fluid(std::size_t particles);

    std::size_t size() const { return pool.size(); }
    double pairs() const { return static_cast<double>(neighbors->particles.pair_count()); }
    double wall_pairs() const { return static_cast<double>(neighbors->walls.pair_count()); }
    // The same fluid, for passes of another instruction set.
    StepContext& on(InstructionSet isa) {
        facts.isa = isa;
        return *step;
    }
    Neighborhood::Settings settings(InstructionSet isa) const;

    Pool pool;
    Walls walls;
    Profile profile;
    SceneFacts facts;
    double spacing = 0, support = 0;
    Vec3d origin;
    std::unique_ptr<Neighborhood> neighbors;
    std::unique_ptr<StepContext> step;
    PressureFields fields; // as implicit solvers use them
    PressureFields fresh;  // as explicit ones do
};

// Keeps the fluid that was asked for last: benchmarks are ordered by size, and the large ones take room.
class Fluids {
public:
    Fluid& of(std::size_t particles);

private:
    std::size_t particles_ = 0;
    std::unique_ptr<Fluid> fluid_;
};

} // namespace loam
