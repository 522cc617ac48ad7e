#include "beside_water.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "bench/dam_break.h"
#include "parts.h"
#include "step/simulation.h"

namespace loam {
namespace {

std::unique_ptr<Simulation> simulate(const Result<Scene>& scene) {
    auto simulation = scene ? Simulation::create(*scene) : Result<std::unique_ptr<Simulation>>(scene.error());
    if (simulation) return std::move(*simulation);
    std::fprintf(stderr, "loam_bench: %s\n", simulation.error().text().c_str());
    std::exit(1);
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
void add_steps_beside_water(const std::string& part, std::size_t particles,
                            const std::function<Result<Scene>(std::size_t particles)>& scene,
                            const std::string& solver) {
    const auto steps = [=](benchmark::State& state) {
        const std::unique_ptr<Simulation> solid = simulate(scene(particles));
        const std::unique_ptr<Simulation> water = simulate(dam_break_scene(particles, solver, false));
        seconds_of(*solid), seconds_of(*water);
        solid->profile().clear();
        std::vector<double> own, fluid;
        for (auto unused : state) {
            static_cast<void>(unused);
            own.push_back(seconds_of(*solid) / static_cast<double>(solid->particles().size()));
            fluid.push_back(seconds_of(*water) / static_cast<double>(water->particles().size()));
            state.SetIterationTime(own.back() * static_cast<double>(solid->particles().size()));
        }
        state.counters["ns/particle"] = 1e9 * median(own);
        state.counters[solver + " ns/particle"] = 1e9 * median(fluid);
        state.counters["times " + solver] = median(own) / median(fluid);
        for (const Profile::Line& line : solid->profile().lines())
            if (line.calls > 0)
                state.counters[line.name + " us"] = 1e6 * line.seconds / static_cast<double>(line.calls);
    };
    // So few turns that the water is still a block.
    benchmark::RegisterBenchmark(part_name(part, particles).c_str(), steps)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond)
        ->Iterations(12);
}

} // namespace loam
