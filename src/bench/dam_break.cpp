#include "bench/dam_break.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "run/load.h"

namespace loam {
namespace {

using Json = nlohmann::json;
constexpr double gravity = 9.81, tank_height = 1.5; // [m/s^2], [m]

} // namespace

std::array<std::size_t, 3> block_of(std::size_t particles) {
    const auto edge = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(particles))));
    const std::size_t least = std::max<std::size_t>(edge * 4 / 5, 1), most = edge * 6 / 5 + 1;
    const auto miss = [&](std::size_t count) { return count > particles ? count - particles : particles - count; };
    std::array<std::size_t, 3> best{edge, edge, edge};
    for (std::size_t x = least; x <= most; ++x)
        for (std::size_t y = x; y <= most; ++y) {
            const auto z =
                static_cast<std::size_t>(std::lround(static_cast<double>(particles) / static_cast<double>(x * y)));
            if (z >= least && z <= most && miss(x * y * z) < miss(best[0] * best[1] * best[2])) best = {x, y, z};
        }
    return best;
}

Result<Scene> dam_break_scene(std::size_t particles, const std::string& solver, bool from_rest) {
    const auto block = block_of(particles);
    const double spacing = 1 / static_cast<double>(block[1]); // the water is 1 m high
    const double length = spacing * static_cast<double>(block[0]), depth = spacing * static_cast<double>(block[2]);
    const double speed = from_rest ? 0 : std::sqrt(gravity * 1);

    Json scene{{"title", "dam break"}, {"particle_radius", spacing / 2}, {"behaviors", {{"gravity", Json::object()}}}};
    scene["solver"] = {{"pressure", solver},
                       {"kernel", "cubic"},
                       {"support", 4},
                       {"volume_error", 0.0001},
                       {"dfsph", {{"divergence_error", 0.001}}},
                       {"wcsph", {{"sound_speed", 10 * std::sqrt(2 * gravity * tank_height)}}}};
    scene["bodies"]["water"] = {{"shape", {{"box", {{"min", {0, 0, 0}}, {"max", {length, 1, depth}}}}}},
                                {"velocity", {speed, 0, 0}},
                                {"behaviors", {{"fluid", {{"density", 1000}}}}}};
    scene["bodies"]["tank"] = {
        {"shape", {{"box", {{"min", {0, 0, 0}}, {"max", {3 * length, tank_height, depth}}}}, {"invert", true}}},
        {"boundary", {{"slip", "free"}}}};
    return read_scene(scene.dump(), "bench", known_registries());
}

} // namespace loam
