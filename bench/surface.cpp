// Surfaces: particles to a mesh, one part per method, with cells of one particle radius; and the mesh alone.
#include "surface/surface.h"

#include <fmt/format.h>

#include "parts.h"
#include "surface/march.h"

namespace loam {
namespace {

SurfaceParticles particles_of(Fluid& fluid) {
    SurfaceParticles particles{.radius = fluid.spacing / 2};
    const auto position = fluid.pool[fluid.pool.position];
    particles.positions.assign(position.begin(), position.end());
    MeshColumn velocity{"velocity", "m/s", 3, {}};
    for (const Float4& v : fluid.pool[fluid.pool.velocity])
        velocity.values.insert(velocity.values.end(), {v.x, v.y, v.z});
    particles.columns.push_back(std::move(velocity));
    return particles;
}

void count(benchmark::State& state, std::size_t triangles) {
    const double particles_per_second = 1e9 / state.counters["ns/particle"];
    state.counters["particles/s"] = particles_per_second;
    state.counters["triangles"] = static_cast<double>(triangles);
}

// cell: in particle radii.
void make_mesh(benchmark::State& state, Fluid& fluid, const std::string& method, InstructionSet isa, double cell = 1) {
    const SurfaceParticles particles = particles_of(fluid);
    std::unique_ptr<SurfaceMaker> maker = std::move(*SurfaceMaker::create(method, {}));
    std::size_t triangles = 0;
    measure(state, static_cast<double>(fluid.size()), 0, [&] {
        const Result<SurfaceMesh> mesh = maker->make(particles, {.cell = cell * particles.radius, .isa = isa});
        triangles = mesh ? mesh->triangles.size() : 0;
    });
    count(state, triangles);
}

void march_alone(benchmark::State& state, Fluid& fluid) {
    const SurfaceParticles particles = particles_of(fluid);
    const SurfaceMethodType* type = SurfaceMethods::find(default_surface_method);
    const Cloud cloud(particles, best_instruction_set());
    const Result<SparseField> field = type->make(Values(type->declaration))->field(cloud, {.cell = particles.radius});
    std::size_t triangles = 0;
    measure(state, static_cast<double>(fluid.size()), 0, [&] { triangles = march(*field).triangles.size(); });
    count(state, triangles);
    state.counters["triangles/s"] =
        static_cast<double>(triangles) * state.counters["particles/s"] / static_cast<double>(fluid.size());
}

} // namespace

void add_surface_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    add_part(part_name("march", particles),
             [=](benchmark::State& state) { march_alone(state, fluids->of(particles)); });
    for (const double cell : {2.0, 0.5})
        add_part(part_name(fmt::format("surface_cells_{}", cell), particles), [=](benchmark::State& state) {
            make_mesh(state, fluids->of(particles), default_surface_method, best_instruction_set(), cell);
        });
    for (const auto& method : SurfaceMethods::all()) {
        const std::string name = method->declaration.name;
        each_instruction_set([&](InstructionSet isa) {
            add_part(part_name("surface_" + name, isa, particles),
                     [=](benchmark::State& state) { make_mesh(state, fluids->of(particles), name, isa); });
        });
    }
}

} // namespace loam
