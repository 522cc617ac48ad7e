// The sums of pressure solvers, and the kernels that they weigh neighbors with.
#include "parts.h"

namespace loam {
namespace {

constexpr int iterations = 4; // of a solve: enough that what surrounds them does not count

struct PressurePart {
    const char* name;
    void (*run)(Fluid&, StepContext&);
    bool walls;    // neighbors in walls are visited, too
    double visits; // to each pair
};

constexpr PressurePart parts[] = {
    {"density", [](Fluid& fluid, StepContext& step) { fluid.fields.find_densities(step); }, true, 1},
    {"push",
     [](Fluid& fluid, StepContext& step) {
         fluid.fresh.find_push(step, PressureFields::places_now(step), fluid.fresh.kappa, fluid.fresh.push, Put::set);
     },
     false, 1},
    {"divergence", [](Fluid& fluid, StepContext& step) { fluid.fields.find_divergence(step, fluid.fields.source); },
     false, 1},
    // Push and residual, and the step along it.
    {"relaxation",
     [](Fluid& fluid, StepContext& step) {
         fluid.fields.relax_pressure(step, {.tolerance = -1, .at_least = iterations, .at_most = iterations});
     },
     false, 2 * iterations},
};

void run_part(benchmark::State& state, const PressurePart& part, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    const double pairs = fluid.pairs() + (part.walls ? fluid.wall_pairs() : 0);
    measure(state, static_cast<double>(fluid.size()), part.visits * pairs, [&] { part.run(fluid, step); });
}

// The least that a pair pass can do: load, weigh, add. What differs from kernel to kernel is the kernel.
void run_kernel(benchmark::State& state, KernelKind kind, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    const Kernel usual = fluid.facts.kernel;
    fluid.facts.kernel = make_kernel(kind, fluid.support, 3);
    measure(state, static_cast<double>(fluid.size()), fluid.pairs() + fluid.wall_pairs(),
            [&] { fluid.fields.find_densities_alone(step, PressureFields::places_now(step), fluid.pool.density); });
    fluid.facts.kernel = usual;
    fluid.fields.find_densities(step);
}

} // namespace

void add_pressure_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    each_instruction_set([&](InstructionSet isa) {
        for (const PressurePart& part : parts)
            add_part(part_name(part.name, isa, particles),
                     [=](benchmark::State& state) { run_part(state, part, fluids->of(particles), isa); });
        for (const KernelKind kind : {KERNEL_CUBIC, KERNEL_WENDLAND, KERNEL_POLY6, KERNEL_SPIKY})
            add_part(part_name("kernel_" + kernel_names()[kind], isa, particles),
                     [=](benchmark::State& state) { run_kernel(state, kind, fluids->of(particles), isa); });
    });
}

} // namespace loam
