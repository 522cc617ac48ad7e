// Surfaces: particles to a mesh, one part per method, with cells of one particle radius; and the mesh alone.
#include "surface/surface.h"
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

void make_mesh(benchmark::State& state, Fluid& fluid, const std::string& method, InstructionSet isa) {
    const SurfaceParticles particles = particles_of(fluid);
    std::unique_ptr<SurfaceMaker> maker = std::move(*SurfaceMaker::create(method, {}));
    std::size_t triangles = 0;
    measure(state, static_cast<double>(fluid.size()), 0, [&] {
        const Result<SurfaceMesh> mesh = maker->make(particles, {.isa = isa});
        triangles = mesh ? mesh->triangles.size() : 0;
    });
    state.counters["triangles"] = static_cast<double>(triangles);
}

void march_alone(benchmark::State& state, Fluid& fluid) {
    const SurfaceParticles particles = particles_of(fluid);
    const SurfaceMethodType* type = SurfaceMethods::find(default_surface_method);
    const Cloud cloud(particles, best_instruction_set());
    const Result<SparseField> field = type->make(Values(type->declaration))->field(cloud, {.cell = particles.radius});
    std::size_t triangles = 0;
    measure(state, static_cast<double>(fluid.size()), 0, [&] { triangles = march(*field).triangles.size(); });
    state.counters["triangles"] = static_cast<double>(triangles);
}

} // namespace

void add_surface_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    add_part(part_name("march", particles),
             [=](benchmark::State& state) { march_alone(state, fluids->of(particles)); });
    for (const auto& method : SurfaceMethods::all()) {
        const std::string name = method->declaration.name;
        each_instruction_set([&](InstructionSet isa) {
            add_part(part_name("surface_" + name, isa, particles),
                     [=](benchmark::State& state) { make_mesh(state, fluids->of(particles), name, isa); });
        });
    }
}

} // namespace loam
