#include "scene/scene_builder.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "particles/shapes/animated_mesh.h"

namespace loam {
namespace {

using json::Node;

constexpr double most_frames = 1e6;
constexpr double least_periodic_supports = 3;

ShapeContext context_of(const Node& root, const std::string& folder) {
    const Values values = values_of(root, scene_declaration());
    return {folder, values.integer("dimensions"), 2 * values.number("particle_radius")};
}

// The place to point at for a value that may have been left out.
json::Place place_of(const Node& block, std::string_view key) {
    const Node* given = block.find(key);
    return given ? given->place : block.place;
}

const Declaration* named(std::span<const Declaration> declarations, const std::string& name) {
    for (const Declaration& declaration : declarations)
        if (declaration.name == name) return &declaration;
    return nullptr;
}

} // namespace

SceneBuilder::SceneBuilder(const Node& root, const Registries& registries, const std::string& folder,
                           Complaints& complaints)
    : root_(root), registries_(registries), complaints_(complaints),
      dimensions_(values_of(root, scene_declaration()).integer("dimensions")), folder_(folder),
      shapes_(registries.shapes, context_of(root, folder), complaints) {}

Scene SceneBuilder::build() {
    Scene scene;
    const Node nothing = Node::object(root_.place);
    scene.values = values(root_, "", scene_declaration());
    const Node* domain = root_.find("domain");
    scene.domain = values(domain ? *domain : nothing, "domain", domain_declaration());
    build_solver(scene);
    build_pictures(scene);
    check_times(scene);
    check_domain(scene);
    if (const Node* solutes = root_.find("solutes"))
        for (const json::Member& solute : solutes->members)
            scene.solutes.push_back(build_solute(solute.key, solute.value));
    check_solutes_of_keys(scene, root_, "");
    scene.behaviors = build_behaviors(root_.find("behaviors"), "behaviors");
    const Node& bodies = *root_.find("bodies");
    if (bodies.members.empty()) complaints_.add(bodies.place, "bodies", "there is nothing to simulate", "add a body");
    for (const json::Member& body : bodies.members) {
        if (complaints_.any()) return scene;
        scene.bodies.push_back(build_body(scene, body.key, body.value));
    }
    std::vector<std::string> of_particles;
    for (const BodySpec& body : scene.bodies)
        if (!body.boundary) of_particles.push_back(body.name);
    for (std::size_t b = 0; b != bodies.members.size(); ++b) build_groups(scene, b, bodies.members[b].value);
    if (!complaints_.any()) check_pins(scene), check_looks(scene);
    if (const Node* drains = root_.find("drains"))
        for (const json::Member& drain : drains->members)
            scene.drains.push_back(build_drain(drain.key, drain.value, of_particles));
    if (const Node* heaters = root_.find("heaters"))
        for (const json::Member& heater : heaters->members)
            scene.heaters.push_back(build_heater(heater.key, heater.value));
    if (const Node* gauges = root_.find("gauges"))
        for (const json::Member& gauge : gauges->members)
            scene.gauges.push_back(build_gauge(gauge.key, gauge.value, scene));
    if (const Node* foam = root_.find("foam")) build_foam(scene, *foam);
    return scene;
}

void SceneBuilder::build_foam(Scene& scene, const Node& node) {
    check_body_names(node, "foam", foam_declaration(), scene);
    scene.foam = values(node, "foam", foam_declaration());
    const auto flows = [&](const BodySpec& body) { return find_behavior(scene, body, "fluid") != nullptr; };
    if (scene.foam->text("of").empty() && std::none_of(scene.bodies.begin(), scene.bodies.end(), flows))
        complaints_.add(node.place, "foam", "there is no fluid to make it", "give a body the behavior `fluid`");
    for (const auto& [least, most] : {std::pair("slow", "fast"), std::pair("calm", "wild")})
        if (!(scene.foam->number(least) < scene.foam->number(most)))
            complaints_.add(place_of(node, least), below("foam", least),
                            fmt::format("is {}, not less than `{}`", number_text(scene.foam->number(least)), most),
                            fmt::format("allowed: less than {}", number_text(scene.foam->number(most))));
}

Values SceneBuilder::values(const Node& node, const std::string& path, const Declaration& declaration) {
    Values all = values_of(node, declaration);
    if (dimensions_ == 3) return all;
    for (const Property& property : declaration.properties) {
        const bool moves = property.kind == Kind::vector &&
                           (property.unit == "m/s" || property.unit == "m/s^2" || property.name == "translation");
        const Track* track = all.track(property.name);
        const bool leaves = track && std::any_of(track->keys.begin(), track->keys.end(),
                                                 [](const Key& key) { return key.value.z != 0; });
        if (moves && (leaves || all.vector(property.name).z != 0))
            complaints_.add(place_of(node, property.name), below(path, property.name),
                            "points out of the plane in a scene of 2 dimensions", "its z must be 0");
    }
    return all;
}

Vec3d SceneBuilder::direction(const Node& node, const std::string& path, const Values& values,
                              const std::string& name) {
    const Vec3d given = values.vector(name);
    // Scaled first, so that the length of a very long or very short vector does not overflow or vanish.
    const double size = std::max({std::abs(given.x), std::abs(given.y), std::abs(given.z)});
    if (size > 0) return normalized(given / size);
    complaints_.add(place_of(node, name), below(path, name), "has no direction", "allowed: any vector but [0, 0, 0]");
    return {0, 1, 0};
}

void SceneBuilder::build_solver(Scene& scene) {
    const Node nothing = Node::object(root_.place);
    const Node* given = root_.find("solver");
    const Node& solver = given ? *given : nothing;
    if (!registries_.pressure_solvers.empty()) scene.pressure = registries_.pressure_solvers.front().name;
    if (const Node* pressure = solver.find("pressure")) scene.pressure = pressure->text;
    scene.solver = values(solver, "solver", solver_declaration());
    const Declaration* declaration = named(registries_.pressure_solvers, scene.pressure);
    if (!declaration) return;
    const Node* own = solver.find(scene.pressure);
    scene.pressure_values = values(own ? *own : nothing, "solver." + scene.pressure, *declaration);
    // What both declare is one setting: given in the solver block, with the pressure solver's own default.
    for (const Property& property : declaration->properties) {
        if (!solver_declaration().find(property.name)) continue;
        const Value common = scene.solver.all().at(property.name);
        const Value value = solver.find(property.name) ? common : property.initial;
        scene.solver.set(property.name, value);
        scene.pressure_values.set(property.name, value);
    }
}

void SceneBuilder::check_times(const Scene& scene) {
    const double frames = scene.values.number("duration") * scene.values.number("fps");
    if (frames > most_frames)
        complaints_.add(place_of(root_, "fps"), "fps",
                        fmt::format("duration times fps is {} frames", number_text(frames)),
                        fmt::format("allowed: at most {}", number_text(most_frames)));
    if (frames < 1e-3) // the run goes on to the time of frame 1, however late that is
        complaints_.add(place_of(root_, "fps"), "fps",
                        fmt::format("the first frame comes after {} s, but the duration is {} s",
                                    number_text(1 / scene.values.number("fps")),
                                    number_text(scene.values.number("duration"))),
                        "more frames per second, or a longer duration");
    const Node* solver = root_.find("solver");
    const double longest = scene.solver.number("max_time_step"), shortest = scene.solver.number("min_time_step");
    if (solver && longest > 0 && shortest > longest)
        complaints_.add(place_of(*solver, "min_time_step"), "solver.min_time_step",
                        number_text(shortest) + " s is more than max_time_step, " + number_text(longest) + " s",
                        "allowed: at most max_time_step");
}

void SceneBuilder::check_domain(const Scene& scene) {
    const Node* domain = root_.find("domain");
    if (!domain) return;
    const Vec3d lo = scene.domain.vector("min"), hi = scene.domain.vector("max");
    for (std::size_t axis = 0; axis != static_cast<std::size_t>(dimensions_); ++axis)
        if (!(lo[axis] < hi[axis]))
            complaints_.add(place_of(*domain, "max"), "domain.max",
                            fmt::format("{} is not above min, {}, along {}", number_text(hi[axis]),
                                        number_text(lo[axis]), "xyz"[axis]),
                            "each component of max is above that of min; null for no end");
    check_periodic(scene, *domain);
}

void SceneBuilder::check_periodic(const Scene& scene, const Node& domain) {
    const Vec3d lo = scene.domain.vector("min"), hi = scene.domain.vector("max");
    const double least = least_periodic_supports * scene.support();
    for (std::size_t axis = 0; axis != 3; ++axis) {
        if (!scene.periodic(static_cast<int>(axis))) continue;
        const json::Place place = place_of(domain, "periodic");
        const double period = hi[axis] - lo[axis];
        if (axis == 2 && dimensions_ == 2)
            complaints_.add(place, "domain.periodic", "z cannot be periodic in a scene of 2 dimensions",
                            "allowed: none, x, y, xy");
        else if (!std::isfinite(period))
            complaints_.add(place, "domain.periodic", fmt::format("{} is periodic but has no end", "xyz"[axis]),
                            "give domain.min and domain.max for this axis");
        else if (period < least * (1 - 1e-9))
            complaints_.add(place, "domain.periodic",
                            fmt::format("the period along {} is {} m", "xyz"[axis], number_text(period)),
                            fmt::format("allowed: at least {} m, {} times the reach of a particle (support times "
                                        "particle_radius)",
                                        number_text(least), number_text(least_periodic_supports)));
    }
}

std::vector<BehaviorUse> SceneBuilder::build_behaviors(const Node* node, const std::string& path) {
    std::vector<BehaviorUse> uses;
    if (!node) return uses;
    for (const json::Member& member : node->members)
        if (const Declaration* declaration = named(registries_.behaviors, member.key))
            uses.push_back({member.key, values(member.value, below(path, member.key), *declaration)});
    return uses;
}

// A fluid need not be there at the start where something has pores that may let it out, or a surface.
bool SceneBuilder::may_seep_out(const Node& node) const {
    const auto has = [](const Node& body, const char* behavior) {
        const Node* behaviors = body.find("behaviors");
        return behaviors && behaviors->find(behavior);
    };
    const Node* bodies = root_.find("bodies");
    if (has(node, "coat")) return true;
    return has(node, "fluid") && bodies &&
           std::any_of(bodies->members.begin(), bodies->members.end(),
                       [&](const json::Member& body) { return has(body.value, "porous"); });
}

void SceneBuilder::check_body(const Node& node, const std::string& path) {
    const Node *boundary = node.find("boundary"), *shape = node.find("shape");
    if (boundary) {
        for (const json::Member& member : node.members)
            if (member.key != "boundary" && member.key != "shape" && member.key != "look")
                complaints_.add(member.place, below(path, member.key), "a boundary has no \"" + member.key + "\"",
                                member.key == "velocity" || member.key == "motion"
                                    ? "a wall moves by boundary.motion"
                                    : "a wall has only a shape, a boundary and a look");
        if (!shape) complaints_.add(node.place, path, "a boundary needs a shape", "add \"shape\": {...}");
        return;
    }
    if (!shape && (!node.find("emitters") || node.find("emitters")->members.empty()) && !may_seep_out(node))
        complaints_.add(node.place, path, "the body has neither a shape nor emitters",
                        "add \"shape\": {...}, or \"emitters\": {...}");
    if (const Node* motion = node.find("motion");
        motion && !(node.find("behaviors") && node.find("behaviors")->find("rigid")))
        complaints_.add(motion->place, below(path, "motion"), "only rigid bodies and walls can be moved",
                        "add \"rigid\": {} to its behaviors, or make it a wall with boundary.motion");
    if (!node.find("behaviors"))
        complaints_.add(
            node.place, path, "the body has neither behaviors nor a boundary",
            "add \"behaviors\": {\"fluid\": {}} to make it a material, or \"boundary\": {} to make it a wall");
}

BodySpec SceneBuilder::build_body(const Scene& scene, const std::string& name, const Node& node) {
    const std::string path = "bodies." + name;
    BodySpec body;
    body.name = name;
    check_body(node, path);
    body.values = values(node, path, body_declaration());
    body.look = build_look(node.find("look"), path + ".look");
    body.behaviors = build_behaviors(node.find("behaviors"), path + ".behaviors");
    if (const Node* start = node.find("start")) build_start(scene, body, *start, path + ".start");
    body.concentrations = build_concentrations(scene, node.find("concentration"), path + ".concentration");
    if (const Node* boundary = node.find("boundary")) body.boundary = build_boundary(*boundary, path + ".boundary");
    if (const Node* motion = node.find("motion")) body.motion = build_motion(*motion, path + ".motion");
    if (const Node* emitters = node.find("emitters"))
        for (const json::Member& emitter : emitters->members)
            body.emitters.push_back(build_emitter(emitter.key, emitter.value, path + ".emitters." + emitter.key));
    if (const Node* pins = node.find("pins"))
        for (const json::Member& pin : pins->members)
            body.pins.push_back(build_pin(pin.key, pin.value, path + ".pins." + pin.key));
    if (const Node* shape = node.find("shape")) body.shape = shapes_.read_solid(*shape, path + ".shape");
    if (!complaints_.any() && body.shape && !body.boundary && !body.shape->bounded())
        complaints_.add(node.find("shape")->place, path + ".shape", "has no end, so it cannot be filled",
                        "leave out \"invert\", or cut it by \"intersection\"");
    return body;
}

void SceneBuilder::build_groups(Scene& scene, std::size_t of, const Node& node) {
    const Node* groups = node.find("groups");
    if (!groups) return;
    for (const json::Member& member : groups->members) {
        const std::string path = "bodies." + scene.bodies[of].name + ".groups." + member.key;
        BodySpec group;
        group.name = scene.bodies[of].name + "." + member.key;
        group.group_of = of;
        group.values = scene.bodies[of].values;
        group.look = scene.bodies[of].look;
        group.concentrations = scene.bodies[of].concentrations;
        group.region = shapes_.read(*member.value.find("shape"), path + ".shape");
        group.behaviors = build_behaviors(member.value.find("behaviors"), path + ".behaviors");
        for (const BehaviorUse& use : scene.bodies[of].behaviors) {
            const auto same = [&](const BehaviorUse& own) { return own.name == use.name; };
            if (std::none_of(group.behaviors.begin(), group.behaviors.end(), same)) group.behaviors.push_back(use);
        }
        if (scene.bodies[of].boundary)
            complaints_.add(member.place, path, "a wall has no groups", "groups are for materials");
        scene.bodies.push_back(std::move(group));
    }
}

BoundarySpec SceneBuilder::build_boundary(const Node& node, const std::string& path) {
    BoundarySpec boundary;
    boundary.values = values(node, path, boundary_declaration());
    if (const Node* motion = node.find("motion")) boundary.motion = build_motion(*motion, path + ".motion");
    return boundary;
}

Motion SceneBuilder::build_motion(const Node& node, const std::string& path) {
    const Values all = values(node, path, motion_declaration());
    Motion motion;
    motion.pivot = all.vector("pivot");
    const bool flat = dimensions_ == 2;
    motion.axis = flat && !node.find("axis") ? Vec3d{0, 0, 1} : direction(node, path, all, "axis");
    if (flat && (motion.axis.x != 0 || motion.axis.y != 0))
        complaints_.add(place_of(node, "axis"), path + ".axis", "would turn the scene out of its plane",
                        "allowed in 2 dimensions: [0, 0, 1] or [0, 0, -1]");
    motion.velocity = all.vector("velocity");
    motion.turns_per_second = all.number("turns_per_second");
    const auto track = [&](const char* name, Vec3d constant) {
        return all.track(name) ? *all.track(name) : Track{Driver::time, {{.at = 0, .value = constant}}};
    };
    motion.translation = track("translation", all.vector("translation"));
    motion.angle = track("angle", {all.number("angle"), 0, 0});
    return motion;
}

// Whom pins follow may stand behind them in the scene.
void SceneBuilder::check_pins(const Scene& scene) {
    std::vector<std::string> names;
    for (const BodySpec& body : scene.bodies)
        if (body.boundary && body.shape && animation_of(*body.shape)) names.push_back(body.name);
    for (const BodySpec& body : scene.bodies)
        for (const PinSpec& pin : body.pins) {
            const std::string& name = pin.values.text("follow");
            if (name.empty() || std::find(names.begin(), names.end(), name) != names.end()) continue;
            const Node& node = *root_.find("bodies")->find(body.name)->find("pins")->find(pin.name);
            complaints_.add(place_of(node, "follow"), "bodies." + body.name + ".pins." + pin.name + ".follow",
                            json::quoted(name) + " is no wall or guide of the shape \"animation\"",
                            names.empty() ? "there is none" : name_hint(name, names));
        }
}

// Nor need the fluid that a body joins stand before it.
void SceneBuilder::check_looks(const Scene& scene) {
    for (const json::Member& body : root_.find("bodies")->members) {
        const Node* look = body.value.find("look");
        if (!look || !look->find("joins")) continue;
        const std::string path = "bodies." + body.key + ".look";
        check_body_names(*look, path, look_declaration(), scene);
        if (complaints_.any()) return;
        const auto named = [&](const BodySpec& spec) { return spec.name == look->find("joins")->text; };
        const BodySpec& other = *std::find_if(scene.bodies.begin(), scene.bodies.end(), named);
        const bool itself = other.name == body.key, passes_on = !other.look.text("joins").empty();
        if (itself || passes_on || !find_behavior(scene, other, "fluid"))
            complaints_.add(look->find("joins")->place, path + ".joins",
                            itself      ? "is the body itself"
                            : passes_on ? json::quoted(other.name) + " joins another body itself"
                                        : json::quoted(other.name) + " is no fluid",
                            "name the fluid that it melts or dissolves into");
    }
}

PinSpec SceneBuilder::build_pin(const std::string& name, const Node& node, const std::string& path) {
    PinSpec pin;
    pin.name = name;
    pin.values = values(node, path, pin_declaration());
    if (const Node* motion = node.find("motion")) pin.motion = build_motion(*motion, path + ".motion");
    pin.shape = shapes_.read(*node.find("shape"), path + ".shape");
    return pin;
}

EmitterSpec SceneBuilder::build_emitter(const std::string& name, const Node& node, const std::string& path) {
    EmitterSpec emitter;
    emitter.name = name;
    emitter.values = values(node, path, emitter_declaration());
    const Vec3d heading = direction(node, path, emitter.values, "direction");
    if (dimensions_ == 2 && heading.z != 0)
        complaints_.add(place_of(node, "direction"), path + ".direction",
                        "points out of the plane in a scene of 2 dimensions", "its z must be 0");
    emitter.values.set("direction", heading);
    if (emitter.values.number("stop") < emitter.values.number("start"))
        complaints_.add(place_of(node, "stop"), path + ".stop",
                        number_text(emitter.values.number("stop")) + " s is before start, " +
                            number_text(emitter.values.number("start")) + " s",
                        "allowed: start or later");
    emitter.shape = shapes_.read_solid(*node.find("shape"), path + ".shape");
    if (!complaints_.any() && emitter.shape && !emitter.shape->bounded())
        complaints_.add(node.find("shape")->place, path + ".shape", "has no end, so it cannot be filled",
                        "leave out \"invert\"");
    return emitter;
}

DrainSpec SceneBuilder::build_drain(const std::string& name, const Node& node, const std::vector<std::string>& bodies) {
    const std::string path = "drains." + name;
    DrainSpec drain;
    drain.name = name;
    if (const Node* taken = node.find("bodies"))
        for (std::size_t i = 0; i != taken->items.size(); ++i) {
            const Node& body = taken->items[i];
            if (std::find(bodies.begin(), bodies.end(), body.text) == bodies.end())
                complaints_.add(body.place, path + ".bodies." + std::to_string(i),
                                "there is no body of particles " + json::quoted(body.text),
                                name_hint(body.text, bodies));
            drain.bodies.push_back(body.text);
        }
    drain.shape = shapes_.read(*node.find("shape"), path + ".shape");
    return drain;
}

} // namespace loam
