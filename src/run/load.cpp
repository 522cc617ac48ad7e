#include "run/load.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "behaviors/behavior.h"
#include "cache/durable.h"
#include "gauges/gauge.h"
#include "pressure/solver.h"
#include "run/built_in_presets.h"

namespace loam {
namespace {

constexpr std::size_t largest_scene = std::size_t{16} << 20;

template <class Types> std::vector<Declaration> declarations(const Types& types) {
    std::vector<Declaration> all;
    for (const auto& type : types) all.push_back(type->declaration);
    return all;
}

std::vector<Declaration> solvers_default_first() {
    std::vector<Declaration> all = declarations(PressureSolvers::all());
    std::stable_partition(all.begin(), all.end(), [](const Declaration& d) { return d.name == "dfsph"; });
    return all;
}

// LOAM_PRESETS may name several, as PATH does.
std::vector<std::string> users_preset_folders() {
    std::vector<std::string> folders;
    const auto setting = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value ? value : "");
    };
    std::istringstream named(setting("LOAM_PRESETS"));
    for (std::string folder; std::getline(named, folder, ':');)
        if (!folder.empty()) folders.push_back(folder);
    const std::string home = setting("HOME"), config = setting("XDG_CONFIG_HOME");
    if (!config.empty())
        folders.push_back(config + "/loam/presets");
    else if (!home.empty())
        folders.push_back(home + "/.config/loam/presets");
    return folders;
}

} // namespace

Registries known_registries() {
    static const std::vector<Declaration> behaviors = declarations(Behaviors::all());
    static const std::vector<Declaration> solvers = solvers_default_first();
    static const std::vector<Declaration> gauges = declarations(GaugeTypes::all());
    static const std::vector<std::string> folders = users_preset_folders();
    return {shape_kinds(), behaviors, solvers, gauges, built_in_presets(), folders};
}

Result<Scene> load_scene(const std::filesystem::path& file, const SceneOptions& options) {
    const Result<std::string> text = read_text(file, largest_scene);
    if (!text) return text.error();
    return read_scene(*text, file.string(), known_registries(), options);
}

Error in_scene(Error error, const Scene& scene) {
    if (error.fault == Fault::stopped || error.where.starts_with(scene.file)) return error;
    error.where =
        error.where.empty() ? scene.file : place_in(scene, known_registries(), error.where) + ": " + error.where;
    return error;
}

} // namespace loam
