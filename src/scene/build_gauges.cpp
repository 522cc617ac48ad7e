// The part of a scene that is about gauges.
#include <algorithm>

#include "base/text.h"
#include "scene/scene_builder.h"

namespace loam {

using json::Node;

// Bodies that a block names must be there.
void SceneBuilder::check_body_names(const Node& node, const std::string& path, const Declaration& declaration,
                                    const Scene& scene) {
    std::vector<std::string> names;
    for (const BodySpec& body : scene.bodies) names.push_back(body.name);
    for (const Property& property : declaration.properties) {
        const Node* given = property.kind == Kind::body ? node.find(property.name) : nullptr;
        if (given && std::find(names.begin(), names.end(), given->text) == names.end())
            complaints_.add(given->place, below(path, property.name), "there is no body " + json::quoted(given->text),
                            name_hint(given->text, names));
    }
}

GaugeSpec SceneBuilder::build_gauge(const std::string& name, const Node& node, const Scene& scene) {
    const std::string path = "gauges." + name;
    GaugeSpec gauge;
    gauge.name = name;
    gauge.every_step = values_of(node, gauge_declaration()).text("every") == "step";
    std::vector<std::string> kinds;
    for (const Declaration& kind : registries_.gauges) {
        kinds.push_back(kind.name);
        const Node* given = node.find(kind.name);
        if (!given) continue;
        if (!gauge.kind.empty())
            complaints_.add(given->place, below(path, kind.name),
                            "the gauge shows \"" + gauge.kind + "\" and \"" + kind.name + "\"",
                            "make two gauges of it, each with a name");
        gauge.kind = kind.name;
        gauge.values = values(*given, below(path, kind.name), kind);
        check_body_names(*given, below(path, kind.name), kind, scene);
        for (const char* heading : {"direction", "normal"})
            if (kind.find(heading))
                gauge.values.set(heading, direction(*given, below(path, kind.name), gauge.values, heading));
    }
    if (gauge.kind.empty())
        complaints_.add(node.place, path, "does not say what the gauge shows", "add one of: " + join(kinds));
    return gauge;
}

} // namespace loam
