// Viscosity: explicit, and iterations of the implicit solve.
#include <algorithm>
#include <vector>

#include "behaviors/viscosity/arguments.h"
#include "behaviors/viscosity/implicit.h"
#include "parts.h"

namespace loam {
namespace {

constexpr int iterations = 4;
constexpr float viscosity = 1000; // [Pa s]: stiff enough that the implicit solve needs all of its iterations

Column<Float4> fill_motion(Pool& pool) {
    const auto column = pool.declare<Float4>({.name = "viscous_motion"});
    const auto motion = pool[column], velocity = pool[pool.velocity];
    for (std::size_t i = 0; i < pool.size(); ++i) motion[i] = {velocity[i].x, velocity[i].y, velocity[i].z, viscosity};
    pool.padding(column) = {};
    return column;
}

// Normalizes the coefficients and adds the forces: two visits to each pair.
void run_explicit(benchmark::State& state, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    const Column<Float4> motion = fill_motion(fluid.pool);
    measure(state, static_cast<double>(fluid.size()), 2 * (fluid.pairs() + fluid.wall_pairs()), [&] {
        Pass normalize(step, "viscosity normalized");
        normalize.run(normalized_viscosity, {.model = ViscosityModel::morris,
                                             .particles = normalize.pairs(),
                                             .walls = normalize.wall_pairs(),
                                             .kernel = step.scene.kernel,
                                             .motion = normalize.writes(motion)});
        Pass accelerate(step, "viscosity");
        accelerate.run(viscous_acceleration, {.law = viscosity_arguments(accelerate, motion),
                                              .model = ViscosityModel::morris,
                                              .acceleration = accelerate.writes(fluid.pool.acceleration)});
    });
}

// Blocks and right side in one visit, the first residual in one, then one per iteration.
void run_implicit(benchmark::State& state, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    Pool& pool = fluid.pool;
    ImplicitViscosity solver;
    solver.set(1e-9, iterations);
    solver.declare(pool);
    const Column<Float4> motion = fill_motion(pool);
    const auto velocity = pool[pool.velocity], change = pool[pool.declare<Float4>({.name = "viscous_change"})];
    const std::vector<Float4> before(velocity.begin(), velocity.end());
    const auto start_anew = [&] { // a solve starts from the change that the last one found
        std::copy(before.begin(), before.end(), velocity.begin());
        std::fill(change.begin(), change.end(), Float4{});
    };
    const double pairs = (2 + iterations) * fluid.pairs();
    measure(state, static_cast<double>(fluid.size()), pairs, start_anew,
            [&] { solver.solve(step, motion, motion, true); });
    start_anew();
}

} // namespace

void add_viscosity_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    each_instruction_set([&](InstructionSet isa) {
        add_part(part_name("viscosity", isa, particles),
                 [=](benchmark::State& state) { run_explicit(state, fluids->of(particles), isa); });
        add_part(part_name("viscosity_implicit", isa, particles),
                 [=](benchmark::State& state) { run_implicit(state, fluids->of(particles), isa); });
    });
}

} // namespace loam
