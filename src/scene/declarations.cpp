// What each fixed block of a scene may contain, with defaults chosen so that a scene of a few lines runs well.
#include "scene/scene.h"

namespace loam {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr Limits seeds{0, 2147483647};
constexpr Limits times{0, 1e9};

} // namespace

const Declaration& scene_declaration() {
    static const Declaration declaration{
        "scene",
        "The whole file: one block of settings, bodies and what acts on them. Lengths are in metres, y points up.",
        {
            text("$schema", "", "Address of the schema, for editors; not used by the simulation."),
            text("title", "", "A name for people."),
            integer("dimensions", 3, {2, 3},
                    "2 for a scene in the xy plane, where z is 0 and may be left out of vectors."),
            number("duration", "s", 4, positive, "Simulated time; the last frame is the first that reaches it."),
            number("fps", "1/s", 25, positive, "Frames written per simulated second."),
            number(
                "particle_radius", "m", 0.01, {1e-9, 1e6},
                "Half the distance between particles: the resolution. Half the radius is 8 times the particles in 3D."),
            integer("seed", 0, seeds, "Start of all random numbers; the same seed gives the same result."),
            text("folder", "", "Where relative file names start, seen from the scene file."),
        }};
    return declaration;
}

const Declaration& domain_declaration() {
    static const Declaration declaration{
        "domain",
        "The space in which particles live. Without one it has no end. A particle that leaves through a side that is "
        "not "
        "periodic is removed.",
        {
            vector("min", "m", {-infinite, -infinite, -infinite}, "Lower corner; null for an axis without an end."),
            vector("max", "m", {infinite, infinite, infinite}, "Upper corner; null for an axis without an end."),
            choice(
                "periodic", {"none", "x", "y", "z", "xy", "xz", "yz", "xyz"},
                "Axes along which what leaves at one side enters at the other; they need min and max. A wall that goes "
                "out at one side must come in at the other one."),
        }};
    return declaration;
}

const Declaration& solver_declaration() {
    static const Declaration declaration{
        "solver",
        "How the equations are solved. A key with the name of a pressure solver holds the settings that only this "
        "solver "
        "has, so one scene can carry settings for several and be switched by `pressure` alone.",
        {
            choice("kernel", {"cubic", "wendland", "poly6", "spiky", "desbrun"},
                   "Weight of neighbors by their distance; desbrun is another name of spiky."),
            number(
                "support", "radii", 4, {2.5, 12},
                "Distance at which the kernel ends, in particle radii. 4 is fast; 6 with `wendland` lets waves last."),
            choice("integrator", {"symplectic-euler", "velocity-verlet"}, "From accelerations to positions."),
            number("time_step", "s", 0, {0, 1e3}, "A fixed time step; 0 chooses it in every step."),
            number("max_time_step", "s", 0, {0, 1e3}, "Longest time step that may be chosen; 0 is one frame."),
            number("min_time_step", "s", 1e-8, {0, 1e3}, "The run stops when a shorter step would be needed."),
            number("cfl", "", 0.4, {1e-3, 10}, "How far the fastest particle may go in a step, in particle diameters."),
            number("volume_error", "", 1e-4, {1e-8, 0.5}, "Largest mean relative error of volume that is left."),
            integer("max_iterations", 100, {1, 1e6}, "Most iterations of the pressure solver in a step."),
            flag("smooth_weight", true,
                 "Whether the weight of fluids is borne by a smooth pressure, so that layers, waves and bodies slide "
                 "freely at any depth, in fewer steps; else by particles that push each other, as published. Only of "
                 "solvers that find pressures implicitly, and where there is neither sand nor anything porous."),
            number("shifting", "", 0, {0, 10},
                   "How strongly particles within a fluid are spread evenly as they move; 2 suits smooth flow that is "
                   "to be "
                   "measured, 0 is none."),
        }};
    return declaration;
}

const Declaration& body_declaration() {
    static const Declaration declaration{
        "body",
        "Some material, or a wall. A material has `behaviors` and a `shape` that it fills at the start, `emitters` "
        "that bring "
        "it in over time, or both. A wall has a `shape` and a `boundary`.",
        {
            vector("velocity", "m/s", {}, "Velocity at the start."),
            choice("lattice", {"cubic", "hexagonal"}, "How particles are arranged at the start."),
            number("jitter", "", 0, fraction,
                   "Random displacement at the start, as a fraction of the particle distance."),
            integer("seed", 0, seeds, "Start of the random numbers for jitter, added to the scene's."),
            number("temperature", "K", 293.15, {1e-3, 1e6}, "Temperature at the start."),
            number("saturation", "", 0, fraction, "How full its pores are at the start; with the behavior `porous`."),
        }};
    return declaration;
}

const Declaration& preset_declaration() {
    static const Declaration declaration{"preset",
                                         "A named set of behaviors with a look. A body takes it by `\"behaviors\": "
                                         "{\"like\": NAME}`. Presets stand in the "
                                         "scene, or each in a file NAME.json in a folder `presets` beside the scene, "
                                         "in a folder that LOAM_PRESETS names, or in "
                                         "~/.config/loam/presets; others are built in.",
                                         {text("help", "", "What it is, in one line.")}};
    return declaration;
}

const Declaration& boundary_declaration() {
    static const Declaration declaration{
        "boundary",
        "A solid wall that pushes materials back. It stands still unless it has a `motion`.",
        {
            choice(
                "method", {"sph", "lennard-jones", "dem", "none"},
                "How it pushes: mirrored pressure on wall particles, a repelling potential, a damped spring; or not "
                "at all: a guide for the behavior `control`. The potential and the spring do not count in densities: "
                "a fluid at rest lies some third of a diameter nearer to them."),
            choice("slip", {"free", "no", "friction"},
                   "What happens along the wall: nothing, the material sticks to it, or it is braked by `friction`."),
            number("friction", "", 0.1, {0, 10}, "Coefficient of friction; used when slip is \"friction\"."),
            number(
                "adhesion", "m^2/s^2", 0, {0, 1e6},
                "Attraction of the first layer of particles at the wall; 0 for none. 1 bears the weight of particles "
                "of 2 cm under a ceiling, larger ones need more in proportion."),
            integer("layers", 1, {1, 8}, "Layers of wall particles."),
            number("strength", "m^2/s^2", 10, {0, 1e12}, "Depth of the potential; used by lennard-jones."),
            number("stiffness", "1/s^2", 1e6, {0, 1e15}, "Acceleration per metre of overlap; used by dem."),
            number("damping", "", 0.5, {0, 10}, "Fraction of critical damping; used by dem."),
            number("temperature", "K", 0, {0, 1e6},
                   "Of its surface, for what has the behavior `heat`; 0: no heat passes through it.")
                .keyed(),
        }};
    return declaration;
}

const Declaration& gauge_declaration() {
    static const Declaration declaration{
        "gauge",
        "Shows something while the scene runs: in the log of the run, by `loam info` and `loam plot`. It is exactly "
        "one "
        "of the kinds below, such as {\"height\": {...}}.",
        {choice("every", {"frame", "step"}, "When it is read: at each frame, or in each step as well.")}};
    return declaration;
}

const Declaration& motion_declaration() {
    static const Declaration declaration{
        "motion",
        "How a wall or a rigid body moves: a steady velocity and spin, and keyed displacement and rotation that are "
        "added to them.",
        {
            vector("translation", "m", {}, "Displacement, keyed over time.").keyed(),
            number("angle", "degrees", 0, {-1e9, 1e9},
                   "Rotation about the axis through the pivot, keyed over time; more than 360 is more turns.")
                .keyed(),
            vector("velocity", "m/s", {}, "Steady velocity."),
            number("turns_per_second", "1/s", 0, {-1e6, 1e6},
                   "Steady spin, right-handed about the axis through the pivot."),
            vector("axis", "", {0, 1, 0}, "Axis of spin and of the keys' angles; z in 2D."),
            vector("pivot", "m", {}, "The point that turning leaves in place."),
        }};
    return declaration;
}

const Declaration& pin_declaration() {
    static const Declaration declaration{
        "pin",
        "Holds a part of a body: in place, or moving by a `motion`. What is held pulls and pushes the rest.",
        {number("until", "s", 1e9, times, "When it lets go."),
         body_name("follow", "A wall or guide of the shape `animation`: what is held goes along with its surface.")}};
    return declaration;
}

const Declaration& solute_declaration() {
    static const Declaration declaration{
        "solute",
        "Something that fluids hold: dye, salt, sugar, honey. It spreads in what has the behavior `miscible`, which "
        "then weighs, flows and looks according to how much it holds. A body of nothing else has 1 of it.",
        {
            number("density", "kg/m^3", 0, {0, 1e5}, "Its own; 0: as what it is in."),
            number("viscosity", "Pa s", 0, {0, 1e9},
                   "Its own, for what has the behavior `viscosity`; 0: as what it is in. Of a mixture the logarithms "
                   "are averaged."),
            number("tension", "N/m", 0, {0, 1e6},
                   "Its surface tension, for what has `surface_tension`; 0: as what it is in."),
            number("mobility", "", 1, {0, 1e6}, "How fast it spreads, as a multiple of the fluid's `dispersion`."),
            text("color", "", "\"#rrggbb\": what it gives to the look of what holds it. \"\": none."),
        }};
    return declaration;
}

const Declaration& heater_declaration() {
    static const Declaration declaration{
        "heater",
        "Gives heat to all that is inside of its shape and has the behavior `heat`: a `power`, shared out by volume, "
        "or "
        "as much as brings it to a `temperature`.",
        {
            number("power", "W", 0, {-1e12, 1e12}, "Heat per time (W/m in 2D); below 0 it cools.").keyed(),
            number("temperature", "K", 0, {0, 1e6}, "What is inside has this temperature; 0: it has a power instead.")
                .keyed(),
            number("start", "s", 0, times, "When it is switched on."),
            number("stop", "s", 1e9, times, "When it is switched off."),
            text("glow", "", "\"#rrggbb\": pictures show it shining in this color. \"\": it is not shown."),
            number("brightness", "", 4, {0, 1e6}, "Of that shine."),
        }};
    return declaration;
}

const Declaration& emitter_declaration() {
    static const Declaration declaration{
        "emitter",
        "A source of particles: its shape is filled again and again as the particles move off. They keep their speed "
        "for the reach of the kernel, usually two diameters, whatever is in their way.",
        {
            vector("direction", "", {0, -1, 0}, "Where particles fly; its length does not matter."),
            number("speed", "m/s", 1, {0, 1e6}, "How fast they fly.").keyed(),
            number("rate", "m^3/s", 0, {0, 1e9}, "Volume per time (m^2/s in 2D); 0 is as much as the speed carries.")
                .keyed(),
            number("start", "s", 0, times, "When it opens."),
            number("stop", "s", 1e9, times, "When it closes."),
            number("jitter", "", 0, fraction, "Random displacement as a fraction of the particle distance."),
            number("temperature", "K", 0, {0, 1e6}, "Of what it lets out; 0: that of the body.").keyed(),
            integer("seed", 1, seeds, "Start of its random numbers, added to the scene's."),
        }};
    return declaration;
}

} // namespace loam
