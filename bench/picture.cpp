// Pictures: grains to a world of spheres, to a picture, and from frame to frame; light alone.
#include "base/parallel.h"
#include "parts.h"
#include "picture/grains.h"
#include "picture/trace.h"

namespace loam {
namespace {

constexpr Size picture_size{960, 540};
constexpr int samples = 16;
constexpr int per_particle = 25;

double cube_edge(std::size_t grains) { return std::cbrt(static_cast<double>(grains)); } // in units of a grain's space

// A heap of so many grains, filling a cube.
Spheres heap(std::size_t grains) {
    Spheres spheres;
    spheres.places.resize(grains), spheres.colors.resize(grains);
    const auto edge = static_cast<float>(cube_edge(grains));
    parallel_each(grains, [&](std::size_t i) {
        const auto id = static_cast<std::uint32_t>(i);
        const Grain grain = grain_of(id, 0, 1, 1);
        const auto unit = [&](std::uint32_t k) {
            return static_cast<float>(Sampler::hash(3 * id + k) >> 8) * 0x1p-24f * edge;
        };
        spheres.places[i] = {unit(0), unit(1), unit(2), grain.radius};
        spheres.colors[i] = grain.shade * Color{0.7f, 0.6f, 0.4f};
    });
    return spheres;
}

World world_of(std::size_t grains) {
    World world;
    world.add(heap(grains), {});
    world.set_floor({});
    static_cast<void>(world.commit());
    return world;
}

Image picture_of(const World& world, std::size_t grains) {
    const double e = cube_edge(grains);
    const Camera camera{{1.6 * e, 1.4 * e, 2.2 * e}, {0.5 * e, 0.4 * e, 0.5 * e}, 35};
    return trace(world, Lens(camera, picture_size), Light{}, {.size = picture_size, .samples = samples});
}

void per_second(benchmark::State& state) { state.counters["grains/s"] = 1e9 / state.counters["ns/particle"]; }

void build_grains(benchmark::State& state, std::size_t grains) {
    measure(state, static_cast<double>(grains), 0, [&] { benchmark::DoNotOptimize(world_of(grains)); });
    per_second(state);
}

void show_grains(benchmark::State& state, std::size_t grains) {
    measure(state, static_cast<double>(grains), 0, [&] {
        const World world = world_of(grains);
        benchmark::DoNotOptimize(picture_of(world, grains));
    });
    per_second(state);
}

// Particles that are sheared, each with its grains.
Frame sheared(std::size_t particles, double by) {
    Frame frame;
    frame.header.particle_radius = 0.5;
    const auto id = frame.columns.declare<std::uint32_t>({.name = "id"});
    const auto body = frame.columns.declare<std::uint32_t>({.name = "body"});
    const auto position = frame.columns.declare<Float4>({.name = "position"});
    frame.columns.resize(particles);
    const auto edge = static_cast<std::size_t>(std::ceil(cube_edge(particles)));
    for (std::size_t i = 0; i < particles; ++i) {
        const auto y = static_cast<double>(i / edge % edge);
        frame.columns[id][i] = static_cast<std::uint32_t>(i), frame.columns[body][i] = 0;
        frame.columns[position][i] = {static_cast<float>(static_cast<double>(i % edge) + by * y), static_cast<float>(y),
                                      static_cast<float>(i / (edge * edge)), 0};
    }
    return frame;
}

void carry(benchmark::State& state, std::size_t grains) {
    const Frame before = sheared(grains / per_particle, 0), after = sheared(grains / per_particle, 0.1);
    std::optional<AdvectedGrains> carried;
    measure(
        state, static_cast<double>(grains), 0,
        [&] {
            carried.emplace(0, per_particle);
            carried->advance(before);
        },
        [&] { carried->advance(after); });
    per_second(state);
}

} // namespace

void add_picture_parts(std::size_t grains) {
    add_part(part_name("grains_world", grains), [=](benchmark::State& state) { build_grains(state, grains); });
    add_part(part_name("grains_picture", grains), [=](benchmark::State& state) { show_grains(state, grains); });
    add_part(part_name("grains_carried", grains), [=](benchmark::State& state) { carry(state, grains); });
}

} // namespace loam
