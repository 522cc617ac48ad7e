// Grains and sand: whole steps of a block that falls apart, beside whole steps of as much water.
#include <nlohmann/json.hpp>

#include "bench/dam_break.h"
#include "beside_water.h"
#include "parts.h"
#include "run/load.h"

namespace loam {
namespace {

Result<Scene> heap_scene(std::size_t particles, const char* law) {
    using Json = nlohmann::json;
    const auto block = block_of(particles);
    const double spacing = 1 / static_cast<double>(block[1]);
    const double length = spacing * static_cast<double>(block[0]), depth = spacing * static_cast<double>(block[2]);
    Json scene{{"particle_radius", spacing / 2}, {"behaviors", {{"gravity", Json::object()}}}};
    scene["bodies"]["heap"] = {{"shape", {{"box", {{"min", {0, 0, 0}}, {"max", {length, 1, depth}}}}}},
                               {"jitter", 0.1},
                               {"behaviors", {{law, Json::object()}}}};
    scene["bodies"]["tank"] = {
        {"shape", {{"box", {{"min", {0, 0, 0}}, {"max", {3 * length, 2, depth}}}}, {"invert", true}}},
        {"boundary", Json::object()}};
    return read_scene(scene.dump(), "bench", known_registries());
}

} // namespace

void add_grain_parts(std::size_t particles) {
    const auto heap_of = [](const char* law) { return [=](std::size_t count) { return heap_scene(count, law); }; };
    add_steps_beside_water("grains_step", particles, heap_of("grains"));
    add_steps_beside_water("sand_step", particles, heap_of("sand"), "dfsph");
}

} // namespace loam
