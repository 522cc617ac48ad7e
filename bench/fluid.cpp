#include "fluid.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "bench/dam_break.h"
#include "step/simulation.h"

namespace loam {
namespace {

constexpr double disorder = 0.1;   // of the lattice, in spacings: about that of a flow
constexpr float turbulence = 0.1f; // of the velocities [m/s]: without differences implicit solves end at once

std::unique_ptr<Simulation> dam_break(std::size_t particles) {
    auto scene = dam_break_scene(particles, "dfsph", false);
    auto simulation = scene ? Simulation::create(*scene) : Result<std::unique_ptr<Simulation>>(scene.error());
    if (simulation) return std::move(*simulation);
    std::fprintf(stderr, "loam_bench: %s\n", simulation.error().text().c_str());
    std::exit(1);
}

// Both have the columns that their class declares, and `to` no others.
void copy(const Columns& from, Columns& to) {
    to.resize(from.size());
    for (std::size_t c = 0; c < to.column_count(); ++c)
        std::memcpy(to.bytes(c), from.bytes(from.find(to.info(c).name)), from.size() * to.info(c).stride);
}

} // namespace

Fluid::Fluid(std::size_t particles) {
    const std::unique_ptr<Simulation> simulation = dam_break(particles);
    spacing = simulation->scene().spacing();
    support = simulation->scene().support();
    origin = simulation->neighborhood().frame().origin;
    copy(simulation->particles(), pool);
    copy(simulation->walls(), walls);

    std::mt19937 random(1);
    std::uniform_real_distribution<double> shift(-disorder * spacing, disorder * spacing);
    std::uniform_real_distribution<float> swirl(-turbulence, turbulence);
    for (Vec3d& p : pool[pool.position]) p += Vec3d{shift(random), shift(random), shift(random)};
    for (Float4& v : pool[pool.velocity]) v = {v.x + swirl(random), v.y + swirl(random), v.z + swirl(random), v.w};

    neighbors = std::make_unique<Neighborhood>(settings(best_instruction_set()));
    facts = simulation->context().scene;
    step.reset(new StepContext{.scene = facts, .particles = pool, .walls = walls, .profile = profile});
    step->neighbors = neighbors.get();
    step->dt = 0.001;
    step->flow.all = true;
    fields.declare(*step, PressureFields::Use::iterated_with_kept_gradients);
    fresh.declare(*step, PressureFields::Use::iterated);
    neighbors->update(pool, walls);
    on(best_instruction_set());
    fields.find_densities(*step);
}

Neighborhood::Settings Fluid::settings(InstructionSet isa) const {
    return {.support = support, .origin = origin, .isa = isa};
}

Fluid& Fluids::of(std::size_t particles) {
    if (particles_ != particles) {
        fluid_.reset();
        fluid_ = std::make_unique<Fluid>(particles);
        particles_ = particles;
    }
    return *fluid_;
}

} // namespace loam
