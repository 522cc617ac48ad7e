// A scene as checked values: everything a run needs, nothing left to look up. Made by read_scene() from JSON text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/declaration.h"
#include "base/result.h"
#include "particles/motion.h"
#include "particles/sampling.h"
#include "particles/shape.h"
#include "scene/start_field.h"

namespace loam {

// A behavior as used on a body, or on all bodies when it stands at the top of the scene.
struct BehaviorUse {
    std::string name;
    Values values;
};

struct BoundarySpec {
    Values values; // of boundary_declaration(): method, slip, friction, adhesion, layers, ...
    Motion motion;
};

struct EmitterSpec {
    std::string name;
    Values values; // of emitter_declaration(): direction (unit), speed, rate, start, stop, jitter, seed
    ShapePtr shape;
};

// Holds the particles of its body that are within the shape at the start.
struct PinSpec {
    std::string name;
    Values values; // of pin_declaration(): until
    ShapePtr shape;
    Motion motion;
};

// Something that fluids may hold, in any part of their volume.
struct SoluteSpec {
    std::string name;
    Values values; // of solute_declaration(): density, viscosity, tension, mobility, color
};

// Gives heat to what is inside of its shape.
struct HeaterSpec {
    std::string name;
    Values values; // of heater_declaration(): power, temperature, start, stop
    ShapePtr shape;
    Motion motion;
};

struct BodySpec {
    std::string name;
    ShapePtr shape; // may be null for a body that is only emitted
    Values values;  // of body_declaration(): velocity, lattice, jitter, seed
    std::optional<StartField> start_velocity, start_displacement;
    std::vector<BehaviorUse> behaviors;
    std::vector<EmitterSpec> emitters;
    std::vector<PinSpec> pins;
    std::vector<double> concentrations; // at the start, by solute of the scene; a part of the volume
    Motion motion;                      // of a rigid body that the scene moves
    Values look;                        // of look_declaration(): how pictures show it
    // A group: particles of another body, those in `region` at the start, with behaviors of their own.
    std::optional<std::size_t> group_of; // index of that body
    ShapePtr region;
    std::optional<BoundarySpec> boundary; // then it is a wall and has a shape, but no behaviors or emitters
};

struct DrainSpec {
    std::string name;
    ShapePtr shape;
    std::vector<std::string> bodies; // empty: all
};

// Something that is measured while the scene runs.
struct GaugeSpec {
    std::string name, kind;
    Values values; // of the kind's declaration; directions and normals are of unit length
    bool every_step = false;
};

struct SceneOptions {
    std::vector<std::string> overrides; // path=value: bodies.water.behaviors.fluid.density=800; they win over quality
    std::string quality;                // a name under "quality" in the scene; empty: the scene as it stands
};

struct Scene {
    std::string file;   // where it was read from
    std::string text;   // the scene as JSON, with overrides and quality applied: what is kept beside the frames
    std::string source; // as it was read, with what was changed in it then
    SceneOptions options;
    Values values; // of scene_declaration(): title, dimensions, duration, fps, particle_radius, ...
    Values domain; // of domain_declaration(): bounds (infinite where none are given) and periodic axes
    Values solver; // of solver_declaration(): kernel, integrator, time step, ...
    Values camera; // of camera_declaration()
    Values light;  // of light_declaration()
    std::string pressure = "dfsph";
    Values pressure_values;             // of the chosen solver's declaration
    std::vector<BehaviorUse> behaviors; // for all bodies
    std::vector<BodySpec> bodies;       // groups stand behind all others
    std::vector<DrainSpec> drains;
    std::vector<SoluteSpec> solutes;
    std::vector<HeaterSpec> heaters;
    std::vector<GaugeSpec> gauges;
    std::optional<Values> foam; // of foam_declaration(): white water that is made along with the run

    int dimensions() const { return values.integer("dimensions"); }
    double radius() const { return values.number("particle_radius"); }
    double spacing() const { return 2 * radius(); }
    double support() const { return solver.number("support") * radius(); } // where kernels end
    bool periodic(int axis) const {
        return domain.text("periodic") != "none" && domain.text("periodic").find("xyz"[axis]) != std::string::npos;
    }
    std::size_t whole_body(std::size_t body) const { return bodies[body].group_of.value_or(body); } // of a group
    std::size_t frame_count() const; // frames after the first one, which shows the start
};

// The laws of one body: its own, and those at the top of the scene that it does not have a block of its own for.
std::vector<BehaviorUse> behaviors_of(const Scene& scene, const BodySpec& body);
// The one of that name, or null.
const BehaviorUse* find_behavior(const Scene& scene, const BodySpec& body, std::string_view name);

// The acceleration that gravity gives to each body at a time. A weight that is keyed over particles counts as that of
// its first key.
std::vector<Vec3d> gravity_by_body(const Scene& scene, double time);

// The particles that fill the body at the start.
Result<std::vector<FillPoint>> fill_body(const Scene& scene, const BodySpec& body);

// What the kinds of things are that a scene may name. Only the declarations of behaviors, pressure solvers and
// gauges are needed to read a scene.
// A named set of behaviors, with a look, that bodies may be "like".
struct Preset {
    std::string name;
    std::string file; // where it stands, for messages
    std::string text; // as in the file; "" where it has not been read
};

struct Registries {
    std::span<const ShapeKind> shapes;
    std::span<const Declaration> behaviors;
    std::span<const Declaration> pressure_solvers; // the first one is the default
    std::span<const Declaration> gauges = {};
    std::span<const Preset> presets = {};             // built in
    std::span<const std::string> preset_folders = {}; // with presets of the user
};

// Checks everything, then makes the shapes. The first thing that is wrong comes back with its file:line:column and
// path.
Result<Scene> read_scene(std::string_view text, const std::string& file, const Registries& registries,
                         const SceneOptions& options = {});

// Where a path such as bodies.water.shape stands, or the nearest above it that is written down: file:line:column, or
// the override. Takes its time: for messages.
std::string place_in(const Scene& scene, const Registries& registries, const std::string& path);

// All that a scene in that folder may name, by name, and what they say.
std::vector<Preset> known_presets(const Registries& registries, const std::string& scene_folder);
Result<std::string> preset_text(const Preset& preset);
std::string preset_help(std::string_view text); // its one line; "" if it has none

std::string scene_schema(const Registries& registries);    // JSON Schema, draft 2020-12
std::string scene_reference(const Registries& registries); // Markdown
std::string behavior_help(const Declaration& declaration); // plain text for a terminal

const Declaration& scene_declaration();
const Declaration& domain_declaration();
const Declaration& solver_declaration();
const Declaration& body_declaration();
const Declaration& start_declaration();
const Declaration& start_velocity_declaration();
const Declaration& start_displacement_declaration();
const Declaration& gradient_declaration();
const Declaration& formula_declaration();
const Declaration& gauge_declaration();
const Declaration& foam_declaration();
const Declaration& boundary_declaration();
const Declaration& emitter_declaration();
const Declaration& pin_declaration();
const Declaration& solute_declaration();
const Declaration& heater_declaration();
const Declaration& motion_declaration();
const Declaration& look_declaration();
const Declaration& preset_declaration();
const Declaration& camera_declaration();
const Declaration& light_declaration();

} // namespace loam
