#include "run/story.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cache/run_folder.h"
#include "run/load.h"
#include "run/series.h"

namespace loam {
namespace {

struct Totals {
    double volume_error = 0; // mean over particles, in the worst frame
    double born = 0, died = 0, deepest = 0, steps = 0, unconverged = 0;
    double last_speed = 0;
};

double or_zero(const LogLine& line, const char* name) {
    const double value = number_in(line, name);
    return std::isfinite(value) ? value : 0;
}

Totals add_up(const Log& log) {
    Totals all;
    for (const LogLine& line : log.lines) {
        all.volume_error = std::max(all.volume_error, or_zero(line, "volume_error"));
        all.deepest = std::max(all.deepest, or_zero(line, "deepest_in_walls"));
        all.born += or_zero(line, "born"), all.died += or_zero(line, "died");
        all.steps += or_zero(line, "steps"), all.unconverged += or_zero(line, "unconverged_steps");
        all.last_speed = or_zero(line, "top_speed");
    }
    return all;
}

std::string counted(double count, const char* what) {
    return fmt::format("{:.0f} {}{}", count, what, count == 1 ? "" : "s");
}

// The names of bodies that a law makes a fluid: "water", "water and oil".
std::string fluids_of(const Scene& scene) {
    std::vector<std::string> names;
    for (const BodySpec& body : scene.bodies)
        if (!body.boundary && !body.group_of && find_behavior(scene, body, "fluid")) names.push_back(body.name);
    if (names.size() > 3) return "fluids";
    return fmt::format("{}", fmt::join(names, " and "));
}

} // namespace

std::vector<std::string> what_happened(const Log& log, const Scene& scene) {
    constexpr double some_depth = 0.1;                        // of a particle's diameter
    constexpr double many_unconverged = 0.01, at_rest = 0.01; // of all steps; diameters per frame
    const Totals all = add_up(log);
    std::vector<std::string> said;
    if (const std::string fluids = fluids_of(scene); !fluids.empty() && all.steps > 0)
        said.push_back(fmt::format("{} kept {} volume within {:.2g} %", fluids,
                                   fluids.ends_with('s') || fluids.find(" and ") != std::string::npos ? "their" : "its",
                                   100 * all.volume_error));
    if (all.born > 0) said.push_back(counted(all.born, "particle") + " came out of emitters");
    if (all.died > 0)
        said.push_back(counted(all.died, "particle") +
                       (scene.drains.empty() ? " left through open sides" : " left through drains and open sides"));
    const bool walls = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                   [](const BodySpec& body) { return body.boundary.has_value(); });
    if (all.deepest > some_depth * scene.spacing())
        said.push_back(
            fmt::format("something got {:.2g} diameters of a particle into a wall", all.deepest / scene.spacing()));
    else if (walls && all.steps > 0)
        said.emplace_back("nothing got into walls");
    if (all.unconverged > many_unconverged * all.steps)
        said.push_back(fmt::format("in {:.0f} of {:.0f} steps the pressure was not found within solver.max_iterations",
                                   all.unconverged, all.steps));
    if (all.steps > 0)
        said.push_back(all.last_speed < at_rest * scene.spacing() * scene.values.number("fps")
                           ? "at the end all is at rest"
                           : fmt::format("at the end the fastest moves at {:.2g} m/s", all.last_speed));
    return said;
}

std::vector<std::string> what_happened(const std::filesystem::path& folder) {
    const Result<Log> log = read_log(folder);
    const Result<Scene> scene = load_scene(folder / "scene.json");
    return log && scene ? what_happened(*log, *scene) : std::vector<std::string>();
}

} // namespace loam
