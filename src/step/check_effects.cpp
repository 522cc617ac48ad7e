// Whether what a scene asks for can have an effect: what is silently without one was not meant so.
#include <algorithm>

#include "base/text.h"
#include "step/materials.h"
#include "step/start.h"

namespace loam {
namespace {

std::string path_of(const Scene& scene, const BodySpec& body) {
    if (!body.group_of) return "bodies." + body.name;
    const std::string& whole = scene.bodies[*body.group_of].name;
    return "bodies." + whole + ".groups." + body.name.substr(whole.size() + 1);
}

bool always(const BehaviorUse& use, double least) {
    return !use.values.track("weight") && use.values.number("weight") >= least;
}

// What is rigid moves as one: nothing that its particles would do to each other shows.
Status rigid_alone(const Scene& scene, const BodySpec& body) {
    constexpr double least = 1e-9, rigid_weight = 0.5;
    const BehaviorUse* rigid = find_behavior(scene, body, "rigid");
    if (!rigid || !always(*rigid, rigid_weight)) return Done{};
    for (const BehaviorUse& use : behaviors_of(scene, body))
        if (use.name != "rigid" && Behaviors::find(use.name)->material && always(use, least))
            return Error{Fault::scene, path_of(scene, body) + ".behaviors." + use.name,
                         "has no effect on what is rigid at all times",
                         "leave one of the two out, give it \"weight\": 0, or key their weights so that one ends where "
                         "the other begins"};
    return Done{};
}

// What flows is one thing: of two that a body is wholly, one would have no effect.
Status flows_once(const Scene& scene, const BodySpec& body) {
    const BehaviorUse* first = nullptr;
    for (const BehaviorUse& use : behaviors_of(scene, body)) {
        if (Behaviors::find(use.name)->pressure == TakesPressure::no || use.values.track("weight")) continue;
        if (first && first->values.number("weight") + use.values.number("weight") > 1)
            return Error{Fault::scene, path_of(scene, body) + ".behaviors." + use.name,
                         "the body is " + first->name + " already, and cannot be both at full weight",
                         "leave one of the two out, or give them weights that add up to 1, such as keys by which one "
                         "fades into the other"};
        first = &use;
    }
    return Done{};
}

bool same(const Values& a, const Values& b) { return a.tracks().empty() && b.tracks().empty() && a.all() == b.all(); }

bool differs_from_body(const Scene& scene, const BodySpec& group) {
    const BodySpec& body = scene.bodies[*group.group_of];
    return std::any_of(group.behaviors.begin(), group.behaviors.end(), [&](const BehaviorUse& use) {
        const BehaviorUse* of_body = find_behavior(scene, body, use.name);
        return !of_body || !same(use.values, of_body->values);
    });
}

// What only a law of exchange would change, where there is no such law.
void doubt_drivers(const Scene& scene, const BodySpec& body, std::vector<Error>& doubts) {
    const auto lacks = [&](const char* law) { return find_behavior(scene, body, law) == nullptr; };
    const auto doubt = [&](const std::string& where, const char* what, const char* law) {
        doubts.push_back({Fault::scene, path_of(scene, body) + where, what,
                          std::string("add \"") + law + "\": {} to its behaviors, or leave this out"});
    };
    for (const BehaviorUse& use : behaviors_of(scene, body))
        for (const auto& [name, track] : use.values.tracks()) {
            const std::string where = ".behaviors." + use.name + "." + name;
            if (track.driver == Driver::melted && lacks("heat")) doubt(where, "nothing melts the body", "heat");
            if (track.driver == Driver::concentration && lacks("miscible") && lacks("porous"))
                doubt(where, "the body holds no solutes", "miscible");
        }
    const auto holds = [](double part) { return part > 0; };
    if (!body.group_of && lacks("miscible") && lacks("porous") &&
        std::any_of(body.concentrations.begin(), body.concentrations.end(), holds))
        doubt(".concentration", "has no effect on what does not mix", "miscible");
}

void doubt_heat(const Scene& scene, std::vector<Error>& doubts) {
    const auto conducts = [&](const BodySpec& body) {
        return !body.boundary && find_behavior(scene, body, "heat") != nullptr;
    };
    if (std::any_of(scene.bodies.begin(), scene.bodies.end(), conducts)) return;
    const char *const what = "has no effect: nothing takes up heat", *const hint =
                                                                         "add \"heat\": {} to the behaviors of a body";
    for (const HeaterSpec& heater : scene.heaters)
        doubts.push_back({Fault::scene, "heaters." + heater.name, what, hint});
    for (const BodySpec& body : scene.bodies)
        if (body.boundary && body.boundary->values.number("temperature") > 0)
            doubts.push_back({Fault::scene, "bodies." + body.name + ".boundary.temperature", what, hint});
}

} // namespace

Status check_effects(const Scene& scene, const Pool& pool, std::vector<Error>& doubts) {
    std::vector<std::size_t> counts(scene.bodies.size(), 0);
    doubt_heat(scene, doubts);
    for (const std::uint32_t b : pool[pool.body]) ++counts[b];
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
        const BodySpec& body = scene.bodies[b];
        if (body.boundary) continue;
        if (Status good = rigid_alone(scene, body); !good) return good;
        if (Status good = flows_once(scene, body); !good) return good;
        doubt_drivers(scene, body, doubts);
        if (body.group_of && counts[b] == 0 && scene.bodies[*body.group_of].shape)
            return Error{Fault::scene, path_of(scene, body) + ".shape", "holds no particle of the body",
                         "a group has the particles whose centers are inside of its shape at the start, and not in a "
                         "group before it"};
        if (body.group_of && !differs_from_body(scene, body))
            doubts.push_back({Fault::scene, path_of(scene, body) + ".behaviors",
                              "the group behaves as the body does without it",
                              "give it other values, or behaviors of its own"});
        if (body.values.number("saturation") > 0 && !find_behavior(scene, body, "porous"))
            return Error{Fault::scene, path_of(scene, body) + ".saturation", "the body has no pores that could be wet",
                         "add \"porous\": {} to its behaviors"};
        if (!body.pins.empty() && always_flows(scene, body))
            doubts.push_back({Fault::scene, path_of(scene, body) + ".pins",
                              "a pin holds single particles of a fluid, and the rest flows away from them",
                              "pin a solid (elastic, shell, cloth, springs), or hold the fluid by a wall"});
    }
    return Done{};
}

} // namespace loam
