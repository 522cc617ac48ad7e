// A scene as checked values: everything a run needs, nothing left to look up. Made by read_scene() from JSON text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/declaration.h"
#include "base/result.h"
#include "particles/shape.h"

namespace loam {

// A behavior as used on a body, or on all bodies when it stands at the top of the scene.
struct BehaviorUse {
    std::string name;
    Values values;
};

// A pose at a time; between keys positions are interpolated linearly or smoothly, rotations add up.
struct MotionKey {
    double time = 0;
    Vec3d translation;
    double angle = 0; // degrees about Motion::axis through Motion::pivot
};

struct Motion {
    std::vector<MotionKey> keys; // in order of time; held before the first and after the last
    Vec3d pivot;
    Vec3d axis{0, 1, 0};
    Vec3d velocity;          // steady, added to the keys
    double turns_per_second = 0; // steady spin about axis through pivot, added to the keys
    bool smooth = false;

    bool moves() const { return keys.size() > 1 || turns_per_second != 0 || dot(velocity, velocity) > 0; }
};

struct BoundarySpec {
    Values values; // of boundary_declaration(): method, slip, friction, adhesion, layers, ...
    Motion motion;
};

struct EmitterSpec {
    std::string name;
    Values values; // of emitter_declaration(): direction, speed, rate, start, stop, jitter, seed, ...
    ShapePtr shape;
};

struct BodySpec {
    std::string name;
    ShapePtr shape; // may be null for a body that is only emitted
    Values values;  // of body_declaration(): velocity, jitter, seed, ...
    std::vector<BehaviorUse> behaviors;
    std::vector<EmitterSpec> emitters;
    std::optional<BoundarySpec> boundary; // then it is a wall and has no behaviors
};

struct DrainSpec {
    std::string name;
    ShapePtr shape;
    std::vector<std::string> bodies; // empty: all
};

struct Scene {
    std::string file; // where it was read from
    std::string text; // the scene as JSON, with overrides and quality applied: what is kept beside the frames
    Values values;    // of scene_declaration(): title, dimensions, duration, fps, particle_radius, ...
    Values domain;    // of domain_declaration(): periodic axes, bounds, open sides
    Values solver;    // of solver_declaration(): kernel, integrator, time step, ...
    std::string pressure = "dfsph";
    Values pressure_values; // of the chosen solver's declaration
    std::vector<BehaviorUse> behaviors; // for all bodies
    std::vector<BodySpec> bodies;
    std::vector<DrainSpec> drains;

    int dimensions() const { return values.integer("dimensions"); }
    double radius() const { return values.number("particle_radius"); }
    double spacing() const { return 2 * radius(); }
};

const Declaration& scene_declaration();
const Declaration& domain_declaration();
const Declaration& solver_declaration();
const Declaration& body_declaration();
const Declaration& boundary_declaration();
const Declaration& emitter_declaration();

} // namespace loam
