// What a pass may see and touch in a step. There is no other state: two simulations can live in one process. What the
// scene says stands apart (scene_facts.h) from what a step changes, which the step alone writes; laws own their
// columns.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "neighbors/neighborhood.h"
#include "particles/pool.h"
#include "particles/walls.h"
#include "passes/numbers.h"
#include "passes/profile.h"
#include "passes/scene_facts.h"

namespace loam {

// The longest time step that something allows, and its name for the log: "velocity", "sound", "viscosity".
struct TimeStepLimit {
    double seconds = 1e300;
    std::string reason;
};

// The surface of a solid that moves as one, as it is at the beginning of a step.
struct SolidFace {
    const Shape* shape = nullptr;  // at rest
    Vec3d center, rest_center;     // of mass: now, and in the coordinates of the shape
    std::array<Vec3d, 3> rotation; // rows
    double reach = 0;              // of the surface from the center

    Vec3d to_rest(const Vec3d& from_center) const {
        return rest_center + from_center.x * rotation[0] + from_center.y * rotation[1] + from_center.z * rotation[2];
    }
    Vec3d to_now(const Vec3d& direction) const {
        return {dot(rotation[0], direction), dot(rotation[1], direction), dot(rotation[2], direction)};
    }
};

// What the laws of a body say of it to other laws.
struct BodyTraits {
    bool touches = false;             // other solids, itself and walls: see src/behaviors/contact
    float friction = 0;               // of such contacts: coefficient
    float restitution = 0;            // share of the approaching speed that comes back
    bool own_contacts = false;        // its law keeps it out of walls by itself
    bool viscous = false;             // its viscosity makes it stick to walls that have no slip
    bool no_slip = false;             // viscous fluids stick to this solid
    bool rubs = false;                // grains: its law has friction with walls of its own
    bool held = false;                // it goes where the scene takes it, whatever pushes it
    bool passable = false;            // fluids flow through it
    std::span<const SolidFace> faces; // of solids that move as one, a face for each of its pieces
};

// How much particles take part in the pressure solve.
struct Flow {
    Numbers share;    // 0 for solids
    bool all = false; // fully

    bool anything(const Pool& pool) const; // that does not rest
};

// The columns that a pass reads, of a particle and its neighbors, and writes (pass.h).
struct PassDescription {
    std::vector<std::string> reads, reads_of_walls, writes;
};

// What a constraint works on.
enum class FieldKind {
    velocity,
    change, // of velocity or place: accelerations, pushes, displacements
};

struct StepContext {
    const SceneFacts& scene;
    Pool& particles;
    Walls& walls;
    Profile& profile;
    const Neighborhood* neighbors = nullptr;

    std::vector<BodyTraits> traits; // by body
    Flow flow;
    bool is_solid(std::size_t i) const { return !flow.all && !(flow.share.of(particles)[i] > 0); }
    std::size_t flowing() const; // how many particles take part in the pressure solve; at least 1, to divide by
    // Moves together what can only move together (Behavior::constrain); empty when nothing does.
    std::function<void(FieldKind, std::span<Float4>)> constrain;

    // By name, those that have run, as they did first. Like the profile a record, no state: laws that may not change
    // the step run passes too.
    mutable std::map<std::string, PassDescription, std::less<>> passes;

    double time = 0;
    double dt = 0;         // of this step; chosen after the forces
    double flow_dt = 0;    // the longest step that motion, pressure and frames allow; 0 if that is not known
    bool settling = false; // before the first step: what is squeezed is moved apart, and no speed comes of it
    // How much of the flow's step this one is; steps down to half as long come from dividing frames.
    double part_of_flow_step() const { return flow_dt > 0 ? std::min(1.0, 2 * dt / flow_dt) : 1; }
};

} // namespace loam
