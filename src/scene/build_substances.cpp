// The part of a scene that is about what fluids hold and what heats them.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "scene/scene_builder.h"

namespace loam {

using json::Node;

namespace {

std::vector<std::string> names_of(const std::vector<SoluteSpec>& solutes) {
    std::vector<std::string> names;
    for (const SoluteSpec& solute : solutes) names.push_back(solute.name);
    return names;
}

Error unknown_solute(const std::string& name, const std::vector<std::string>& known) {
    return {Fault::scene, "", "there is no solute " + json::quoted(name),
            known.empty() ? "add \"solutes\": {" + json::quoted(name) + ": {}} to the scene" : name_hint(name, known)};
}

} // namespace

SoluteSpec SceneBuilder::build_solute(const std::string& name, const Node& node) {
    const std::string path = "solutes." + name;
    SoluteSpec solute{name, values(node, path, solute_declaration())};
    if (node.find("color")) check_color(node, path, "color", solute.values);
    return solute;
}

std::vector<double> SceneBuilder::build_concentrations(const Scene& scene, const Node* node, const std::string& path) {
    std::vector<double> all(scene.solutes.size(), 0);
    if (!node) return all;
    const std::vector<std::string> known = names_of(scene.solutes);
    double sum = 0;
    for (const json::Member& member : node->members) {
        const auto found = std::find(known.begin(), known.end(), member.key);
        if (found == known.end()) {
            const Error error = unknown_solute(member.key, known);
            complaints_.add(member.place, below(path, member.key), error.what, error.hint);
            continue;
        }
        all[static_cast<std::size_t>(found - known.begin())] = member.value.number;
        sum += member.value.number;
    }
    constexpr double rounding = 1e-9;
    if (sum > 1 + rounding)
        complaints_.add(node->place, path, "the parts add up to " + number_text(sum),
                        "allowed: at most 1; what is left is the fluid itself");
    return all;
}

// Wherever keys are: over the concentration of which solute.
void SceneBuilder::check_solutes_of_keys(const Scene& scene, const Node& node, const std::string& path) {
    const Node *over = node.find("over"), *keys = node.find("keys"), *of = node.find("of");
    if (over && keys && over->text == "concentration") {
        const std::vector<std::string> known = names_of(scene.solutes);
        if (known.empty())
            complaints_.add(over->place, below(path, "over"), "there are no solutes", "add \"solutes\" to the scene");
        else if (of && std::find(known.begin(), known.end(), of->text) == known.end())
            complaints_.add(of->place, below(path, "of"), unknown_solute(of->text, known).what,
                            name_hint(of->text, known));
    }
    for (const json::Member& member : node.members)
        if (path.empty() ? member.key == "behaviors" || member.key == "bodies" : true)
            check_solutes_of_keys(scene, member.value, below(path, member.key));
}

HeaterSpec SceneBuilder::build_heater(const std::string& name, const Node& node) {
    const std::string path = "heaters." + name;
    HeaterSpec heater;
    heater.name = name;
    heater.values = values(node, path, heater_declaration());
    if (node.find("glow")) check_color(node, path, "glow", heater.values);
    const bool power = node.find("power"), temperature = node.find("temperature");
    if (power == temperature)
        complaints_.add(node.place, path, power ? "has a power and a temperature" : "has no power and no temperature",
                        "give one of the two");
    if (heater.values.number("stop") < heater.values.number("start"))
        complaints_.add(node.place, path + ".stop", "is before start", "allowed: start or later");
    if (const Node* motion = node.find("motion")) heater.motion = build_motion(*motion, path + ".motion");
    const Node& shape = *node.find("shape");
    heater.shape = shapes_.read(shape, path + ".shape");
    if (complaints_.any() || !heater.shape) return heater;
    const Vec3d size = heater.shape->bounds().size();
    if (!(size.x > 0 && size.y > 0 && (size.z > 0 || dimensions_ == 2)))
        complaints_.add(shape.place, path + ".shape", "has no size, so nothing is inside of it",
                        "give it an extent along each axis");
    return heater;
}

} // namespace loam
