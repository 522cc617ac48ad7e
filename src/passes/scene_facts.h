// What a scene says, as laws see it: frozen once the simulation is set up.
#pragma once

#include <string>
#include <vector>

#include "base/declaration.h"
#include "base/instruction_set.h"
#include "particles/motion.h"
#include "particles/sheet.h"
#include "passes/kernel.h"

namespace loam {

struct BodyFacts {
    std::string name;
    ShapePtr shape; // at the start, for walls at rest; may be null
    Motion motion;
    bool is_material = true;           // it has particles; walls and guides do not
    bool flows = false;                // it takes part in the pressure solve, at some time
    double density = 0;                // at rest, dry, of what has particles, as it begins [kg/m^3]
    double saturation = 0;             // of its pores, at the start
    float temperature = 0;             // at the start [K]
    std::vector<float> concentrations; // at the start, by solute
};

// Something that fluids hold; see behaviors/miscible.
struct SoluteFacts {
    std::string name;
    double density = 0, viscosity = 0, tension = 0; // its own; 0: as what it is in
    double mobility = 1;
};

// Gives heat to what is inside; see behaviors/heat.
struct HeaterFacts {
    std::string path; // in the scene, for messages
    ShapePtr shape;
    Motion motion;
    Values values; // power, temperature, start, stop
};

// What an emitter lets out.
struct SourceFacts {
    std::uint32_t body = 0;
    ShapePtr shape;
    Values values; // of the emitter
};

// A shape that moves and pushes nothing; see behaviors/control.
struct Guide {
    std::uint32_t body = 0;
    ShapePtr shape; // at rest
    Motion motion;
};

// A place where particles of a body are held; see behaviors/pin.
struct PinFacts {
    std::uint32_t body = 0;
    std::string path; // in the scene, for messages
    ShapePtr shape;
    Motion motion;
    double until = 0;
    ShapePtr follows;     // the animated shape whose surface takes it along; or null
    Motion follows_along; // how that shape moves as a whole
};

struct SceneFacts {
    InstructionSet isa = InstructionSet::scalar;
    int dimensions = 3;
    double spacing = 0; // distance of particles at rest: twice the particle radius
    double space = 0;   // that a particle of a lattice at rest stands for: spacing^dimensions
    Kernel kernel{};    // support as the scene asks, usually four radii
    WallKernel wall_kernel{};
    SolidKernel solid_kernel{};
    Vec3d periodic_length, periodic_begin;
    Vec3d in_period(const Vec3d& place) const { return image_within(place, periodic_begin, periodic_length); }

    std::vector<BodyFacts> bodies;
    std::vector<BodySheet> sheets; // by body; without a sheet where it is none
    std::vector<Guide> guides;
    std::vector<PinFacts> pins;
    std::vector<SoluteFacts> solutes;
    std::vector<HeaterFacts> heaters;
    std::vector<SourceFacts> sources;
    std::vector<float> slowest_led; // by body: what its emitters let out slower is left to itself [m/s]; or empty
    bool has_solids = false;        // some particle takes no part in the pressure solve, now or at some time

    // What laws that need short steps may want to know before the first one: the step that everything else is expected
    // to allow, the scene's shortest, and the one that it has fixed (0: none).
    double expected_step = 0, least_step = 0, fixed_step = 0;
    bool verlet = false; // velocity Verlet: implicit laws act at the end of a step, after it has moved
};

} // namespace loam
