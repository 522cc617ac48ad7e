#include "bench/dam_break.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "base/parallel.h"
#include "run/load.h"

namespace loam {
namespace {

using Json = nlohmann::json;
constexpr double gravity = 9.81, density = 1000, tank_height = 1.5; // [m/s^2], [kg/m^3], [m]

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
                                {"behaviors", {{"fluid", {{"density", density}}}}}};
    scene["bodies"]["tank"] = {
        {"shape", {{"box", {{"min", {0, 0, 0}}, {"max", {3 * length, tank_height, depth}}}}, {"invert", true}}},
        {"boundary", {{"slip", "free"}}}};
    return read_scene(scene.dump(), "bench", known_registries());
}

double first_pressure(double x, double y, double length, double height) {
    constexpr int most_waves = 25; // the higher ones are lost in the distance of particles
    double sum = 0;
    for (int n = 1; n <= most_waves; n += 2) {
        const double wave = n * std::numbers::pi / length;
        // sinh(a) / cosh(b) for large a <= b, without overflow
        const double a = wave * (height - y), b = wave * height;
        const double ratio = std::exp(a - b) * (1 - std::exp(-2 * a)) / (1 + std::exp(-2 * b));
        sum += 4 * density * gravity / (length * wave * wave) * std::sin(wave * x) * ratio;
    }
    return std::max(sum, 0.0);
}

void set_first_pressure(Simulation& simulation) {
    Pool& pool = simulation.particles();
    const Vec3d block = simulation.scene().bodies.front().shape->bounds().size();
    const auto position = pool[pool.position];
    for (const char* name : {"acting_pressure", "volume_pressure"}) { // of all solvers; of dfsph's second solve
        const std::size_t column = pool.find(name);
        if (column == SIZE_MAX) continue;
        const auto pressure = pool[Column<float>{column}];
        parallel_each(pool.size(), [&](std::size_t i) {
            pressure[i] = static_cast<float>(first_pressure(position[i].x, position[i].y, block.x, block.y));
        });
    }
}

} // namespace loam
