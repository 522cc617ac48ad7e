// Elastic bodies: whole explicit steps of a block, beside whole steps of as much wcsph water.
#include <cmath>

#include <nlohmann/json.hpp>

#include "bench/dam_break.h"
#include "beside_water.h"
#include "parts.h"
#include "run/load.h"

namespace loam {
namespace {

// A block of the water's size, density, kernel, speed and speed of sound, which slides over a floor.
Result<Scene> block_scene(std::size_t particles) {
    using Json = nlohmann::json;
    const auto block = block_of(particles);
    const double spacing = 1 / static_cast<double>(block[1]);
    const double length = spacing * static_cast<double>(block[0]), depth = spacing * static_cast<double>(block[2]);
    constexpr double sound = 54, poisson = 0.3; // [m/s], [-]
    const double young = 1000 * sound * sound * (1 + poisson) * (1 - 2 * poisson) / (1 - poisson);
    Json scene{{"particle_radius", spacing / 2}, {"behaviors", {{"gravity", Json::object()}}}};
    scene["solver"] = {{"pressure", "wcsph"}, {"kernel", "cubic"}, {"support", 4}, {"wcsph", {{"sound_speed", 1}}}};
    scene["bodies"]["block"] = {
        {"shape", {{"box", {{"min", {0, 0, 0}}, {"max", {length, 1, depth}}}}}},
        {"velocity", {std::sqrt(9.81), 0, 0}},
        {"behaviors",
         {{"elastic",
           {{"density", 1000}, {"young_modulus", young}, {"poisson_ratio", poisson}, {"integration", "explicit"}}}}}};
    scene["bodies"]["floor"] = {
        {"shape", {{"box", {{"min", {-0.5, -0.2, -0.5}}, {"max", {3 * length, 0, depth + 0.5}}}}}},
        {"boundary", {{"slip", "free"}}}};
    return read_scene(scene.dump(), "bench", known_registries());
}

} // namespace

void add_elastic_parts(std::size_t particles) { add_steps_beside_water("elastic_step", particles, block_scene); }

} // namespace loam
