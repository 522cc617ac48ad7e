// Elastic bodies: whole explicit steps of a block, beside whole steps of as much wcsph water.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "bench/dam_break.h"
#include "parts.h"
#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

std::unique_ptr<Simulation> simulate(const Result<Scene>& scene) {
    auto simulation = scene ? Simulation::create(*scene) : Result<std::unique_ptr<Simulation>>(scene.error());
    if (simulation) return std::move(*simulation);
    std::fprintf(stderr, "loam_bench: %s\n", simulation.error().text().c_str());
    std::exit(1);
}

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

constexpr int steps_per_turn = 10;

// Of a step, in the mean over a turn.
double seconds_of(Simulation& simulation) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < steps_per_turn; ++k) static_cast<void>(simulation.step(100));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / steps_per_turn;
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

} // namespace

// In turns, so that both see the same machine; each turn is some steps, as lists are not made in every one of them. The
// ratio is that of the median turns: on a shared machine some take much longer.
void add_elastic_parts(std::size_t particles) {
    const auto steps = [=](benchmark::State& state) {
        const std::unique_ptr<Simulation> block = simulate(block_scene(particles));
        const std::unique_ptr<Simulation> water = simulate(dam_break_scene(particles, "wcsph", false));
        seconds_of(*block), seconds_of(*water);
        block->profile().clear();
        std::vector<double> elastic, fluid;
        for (auto unused : state) {
            static_cast<void>(unused);
            elastic.push_back(seconds_of(*block) / static_cast<double>(block->particles().size()));
            fluid.push_back(seconds_of(*water) / static_cast<double>(water->particles().size()));
            state.SetIterationTime(elastic.back() * static_cast<double>(block->particles().size()));
        }
        state.counters["ns/particle"] = 1e9 * median(elastic);
        state.counters["wcsph ns/particle"] = 1e9 * median(fluid);
        state.counters["times wcsph"] = median(elastic) / median(fluid);
        for (const Profile::Line& line : block->profile().lines())
            if (line.calls > 0)
                state.counters[line.name + " us"] = 1e6 * line.seconds / static_cast<double>(line.calls);
    };
    // So few turns that the water is still a block.
    benchmark::RegisterBenchmark(part_name("elastic_step", particles).c_str(), steps)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(12);
}

} // namespace loam
