// Viscosity: explicit, and iterations of the implicit solve.
#include <algorithm>
#include <vector>

#include "behaviors/viscosity/implicit.h"
#include "parts.h"

namespace loam {
namespace {

constexpr int iterations = 4;
constexpr float viscosity = 1000; // [Pa s]: stiff enough that the implicit solve needs all of its iterations

ViscosityArgs arguments(Fluid& fluid, const StepContext& step, ViscosityModel model) {
    Pool& pool = fluid.pool;
    const Walls& walls = fluid.walls;
    const auto column = pool.declare<Float4>({.name = "viscous_motion"});
    const auto motion = pool[column], velocity = pool[pool.velocity];
    for (std::size_t i = 0; i < pool.size(); ++i) motion[i] = {velocity[i].x, velocity[i].y, velocity[i].z, viscosity};
    pool.padding(column) = {};
    const WallMotion wall{walls[walls.velocity].data(), walls[walls.normal].data(),
                          static_cast<float>(0.25 * fluid.spacing)};
    return {model, step.particle_pairs(),    step.wall_pairs(),      step.scene.kernel,
            wall,  pool[pool.volume].data(), pool[pool.mass].data(), motion.data()};
}

// Normalizes the coefficients and adds the forces: two visits to each pair.
void run_explicit(benchmark::State& state, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    const ViscosityArgs args = arguments(fluid, step, ViscosityModel::morris);
    Float4* const acceleration = fluid.pool[fluid.pool.acceleration].data();
    auto* const normalize = normalized_viscosity.on(isa);
    auto* const accelerate = viscous_acceleration.on(isa);
    measure(state, static_cast<double>(fluid.size()), 2 * (fluid.pairs() + fluid.wall_pairs()), [&] {
        parallel_ranges(fluid.size(), [&](Range range) { normalize(args, range); });
        parallel_ranges(fluid.size(), [&](Range range) { accelerate(args, acceleration, range); });
    });
}

// Blocks and right side in one visit, the first residual in one, then one per iteration.
void run_implicit(benchmark::State& state, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    Pool& pool = fluid.pool;
    ImplicitViscosity solver;
    solver.set(1e-9, iterations);
    solver.declare(pool);
    const ViscosityArgs args = arguments(fluid, step, ViscosityModel::implicit);
    const auto velocity = pool[pool.velocity], change = pool[pool.declare<Float4>({.name = "viscous_change"})];
    const std::vector<Float4> before(velocity.begin(), velocity.end());
    const auto start_anew = [&] { // a solve starts from the change that the last one found
        std::copy(before.begin(), before.end(), velocity.begin());
        std::fill(change.begin(), change.end(), Float4{});
    };
    solver.solve(step, args);
    const double pairs = (2 + solver.iterations()) * fluid.pairs();
    measure(state, static_cast<double>(fluid.size()), pairs, start_anew, [&] { solver.solve(step, args); });
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
