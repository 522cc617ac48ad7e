// What a pass may see and touch in a step. There is no other state: two simulations can live in one process.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/declaration.h"
#include "base/instruction_set.h"
#include "base/parallel.h"
#include "neighbors/neighborhood.h"
#include "particles/motion.h"
#include "particles/pool.h"
#include "particles/shape.h"
#include "passes/kernel.h"
#include "passes/numbers.h"
#include "passes/pair_view.h"
#include "passes/profile.h"

namespace loam {

// The longest time step that something allows, and its name for the log: "velocity", "sound", "viscosity".
struct TimeStepLimit {
    double seconds = 1e300;
    std::string reason;
};

// A body of the scene, for laws that look at shapes.
struct BodyForm {
    ShapePtr shape; // at the start, for walls at rest; may be null
    Motion motion;
};

// A shape that moves and pushes nothing; see behaviors/control.
struct Guide {
    std::uint32_t body = 0;
    ShapePtr shape; // at rest
    Motion motion;
};

// How a solid body touches others, itself and walls: see src/behaviors/contact.
struct ContactTraits {
    bool touches = false;
    float friction = 0;    // coefficient
    float restitution = 0; // share of the approaching speed that comes back
};

// A wall as contacts see it.
struct WallSurface {
    std::uint32_t body = 0; // of the scene
    ShapePtr shape;         // at rest
    Pose pose;              // now
    double friction = -1;   // below 0: what touches it has its own friction; infinite: it sticks
};

struct StepContext {
    Pool& particles;
    Walls& walls;
    Profile& profile;
    const Neighborhood* neighbors = nullptr;
    InstructionSet isa = InstructionSet::scalar;
    int dimensions = 3;
    double spacing = 0; // distance of particles at rest: twice the particle radius
    Kernel kernel{};    // support as the scene asks, usually four radii
    WallKernel wall_kernel{};
    Vec3d periodic_length, periodic_begin;
    Vec3d in_period(const Vec3d& place) const { return image_within(place, periodic_begin, periodic_length); }
    std::size_t body_count = 0;
    std::vector<BodyForm> bodies;
    bool one_density = true; // all particles have the same rest density
    std::vector<std::string> body_names;
    std::vector<Guide> guides;
    bool walls_move = false;
    std::vector<std::optional<Values>> wall_values; // by body: how walls treat what touches them; none for materials
    std::vector<std::uint8_t> viscous;              // by body: its viscosity makes it stick to walls that have no slip
    Numbers flow;                                   // how much particles take part in the pressure solve; 0 for solids
    bool all_flow = false;                          // fully
    std::vector<std::uint8_t> no_slip;              // by body: viscous fluids stick to this solid
    std::vector<std::uint8_t> own_contacts;         // by body: its law keeps it out of walls by itself
    std::vector<ContactTraits> contacts;            // by body; its law says so in prepare()
    std::vector<WallSurface> wall_surfaces;
    // What laws that need short steps may want to know before the first one: the step that everything else is expected
    // to allow, the scene's shortest, and the one that it has fixed (0: none).
    double expected_step = 0, least_step = 0, fixed_step = 0;
    Column<std::uint32_t> pin; // saved; where a scene has pins: 0 for particles that are free
    // Moves together what can only move together (Behavior::constrain); empty when nothing does.
    std::function<void(std::span<Float4>)> constrain;

    bool is_solid(std::size_t i) const { return !all_flow && !(flow.of(particles)[i] > 0); }

    // Whether the particle goes where a pin takes it, whatever acts on it.
    bool is_held(std::size_t i) const { return pin.index != SIZE_MAX && particles[pin][i] != 0; }

    double time = 0;
    double dt = 0;         // of this step; chosen after the forces
    double flow_dt = 0;    // the longest step that motion, pressure and frames allow; 0 if that is not known
    bool settling = false; // before the first step: what is squeezed is moved apart, and no speed comes of it
    // How much of the flow's step this one is; steps down to half as long come from dividing frames.
    double part_of_flow_step() const { return flow_dt > 0 ? std::min(1.0, 2 * dt / flow_dt) : 1; }

    bool has_solids = false; // some body is not a fluid, now or at some time
    SolidKernel solid_kernel{};

    std::size_t flowing() const; // how many particles take part in the pressure solve; at least 1, to divide by

    // Pairs of particles with particles, and of particles with walls.
    PairView particle_pairs() const { return pairs(neighbors->particles, particles[particles.place].data()); }
    PairView wall_pairs() const { return pairs(neighbors->walls, walls[walls.place].data()); }

private:
    PairView pairs(const NeighborList& list, const Float4* targets) const {
        PairView view{particles[particles.place].data(), targets, list.entries(), list.block_begins(), false, {}, {}};
        for (std::size_t k = 0; k < 3; ++k)
            if (periodic_length[k] > 0) {
                view.periodic = true;
                view.length[k] = static_cast<float>(periodic_length[k]);
                view.inverse_length[k] = static_cast<float>(1 / periodic_length[k]);
            }
        return view;
    }
};

} // namespace loam
