// Springs: a square cloth, one evaluation of all forces, and whole steps of one that hangs by two corners.
#include <cmath>

#include <cstdio>
#include <cstdlib>

#include "behaviors/springs/network.h"
#include "parts.h"
#include "passes/pass.h"
#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

struct Cloth {
    SpringNetwork network;
    std::vector<Float4> place, velocity, acceleration;
};

Cloth make_cloth(std::size_t springs) {
    const double side = std::round(std::sqrt(static_cast<double>(springs) / 6)), spacing = 0.01;
    const Sheet sheet = rectangle_sheet({}, {side * spacing, 0, 0}, {0, 0, side * spacing}, spacing);
    std::vector<Spring> all;
    for (const Link& link : links_of(sheet))
        all.push_back(
            {link.a, link.b, static_cast<float>(length(sheet.points[link.a] - sheet.points[link.b])), 100, 1});
    Cloth cloth{SpringNetwork(all, sheet.points.size()), {}, {}, {}};
    for (const Vec3d& p : sheet.points)
        cloth.place.push_back(float4({p.x, 0.01 * std::sin(40 * p.x), p.z}, 1)), cloth.velocity.push_back({0, 0, 0, 1});
    for (auto* column : {&cloth.place, &cloth.velocity, &cloth.acceleration}) column->resize(cloth.network.slots());
    return cloth;
}

// With gravity, contacts, and nothing else; short steps, of which springs need no part.
std::unique_ptr<Simulation> hanging_cloth(std::size_t springs) {
    const int side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(springs) / 6)));
    const double size = 0.01 * side;
    const std::string at = std::to_string(size);
    const std::string text =
        R"({"particle_radius": 0.005, "duration": 100, "solver": {"time_step": 5e-4}, "behaviors": {"gravity": {}}, "bodies": {"cloth": {
        "shape": {"sheet": {"u": [)" +
        at + R"(, 0, 0], "v": [0, 0, )" + at + R"(]}},
        "pins": {"near": {"shape": {"sphere": {"radius": 0.02}}},
                 "far": {"shape": {"sphere": {"center": [)" +
        at + R"(, 0, 0], "radius": 0.02}}}},
        "behaviors": {"springs": {"integration": "explicit", "structural": 20, "shear": 10, "flexion": 0.5}}}}})";
    const Result<Scene> scene = read_scene(text, "bench", known_registries());
    auto simulation = scene ? Simulation::create(*scene) : Result<std::unique_ptr<Simulation>>(scene.error());
    if (simulation) return std::move(*simulation);
    std::fprintf(stderr, "loam_bench: %s\n", simulation.error().text().c_str());
    std::exit(1);
}

} // namespace

void add_spring_parts(std::size_t springs) {
    each_instruction_set([&](InstructionSet isa) {
        add_part(part_name("springs", isa, springs), [=](benchmark::State& state) {
            Cloth cloth = make_cloth(springs);
            const SpringArgs args{.rows = cloth.network.rows(),
                                  .place = cloth.place.data(),
                                  .velocity = cloth.velocity.data(),
                                  .result = cloth.acceleration.data()};
            measure(state, static_cast<double>(cloth.place.size()), 2 * static_cast<double>(cloth.network.springs()),
                    [&] { run_on_slots(isa, spring_accelerations, args, cloth.network.groups(), groups_at_once); });
        });
    });
    add_part(part_name("cloth step", springs), [=](benchmark::State& state) {
        const std::unique_ptr<Simulation> cloth = hanging_cloth(springs);
        for (int k = 0; k < 5; ++k) static_cast<void>(cloth->step(100));
        cloth->profile().clear();
        const auto particles = static_cast<double>(cloth->particles().size());
        measure(state, particles, 0, [&] { static_cast<void>(cloth->step(100)); });
        for (const Profile::Line& line : cloth->profile().lines())
            state.counters[line.name + " us"] = 1e6 * line.seconds / static_cast<double>(state.iterations());
    });
}

} // namespace loam
