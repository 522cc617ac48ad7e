// Exchanges between neighbors: explicit, with mass, and implicit.
#include <algorithm>
#include <string>

#include "parts.h"
#include "passes/transfer/transfer.h"

namespace loam {
namespace {

struct TransferPart {
    const char* name;
    double mass; // of the amount
    bool implicit;
    double dt; // in explicit limits
};

constexpr TransferPart parts[] = {
    {"transfer", 0, false, 0.5},
    {"transfer_mass", 1000, false, 0.5},
    {"transfer_implicit", 0, true, 10},
};

// Heat that is uneven from particle to particle, as much of it as there is room for half.
void run_part(benchmark::State& state, const TransferPart& part, Fluid& fluid, InstructionSet isa) {
    StepContext& step = fluid.on(isa);
    Pool& pool = fluid.pool;
    Transfer transfer;
    transfer.declare(pool, {.name = part.name, .reason = part.name, .mass = part.mass});
    const Transfer::Terms terms{.amount = pool.declare<double>({.name = std::string(part.name) + "_amount"}),
                                .capacity = pool.declare<float>({.name = std::string(part.name) + "_capacity"}),
                                .implicit = part.implicit};
    const auto volume = pool[pool.volume];
    const auto start_anew = [&] {
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const float filled = 0.25f + 0.5f * static_cast<float>(i * 7919 % 1000) / 1000;
            pool[terms.amount][i] = filled * volume[i];
            pool[terms.capacity][i] = volume[i];
            pool[transfer.state()][i] = {filled, 1, 1, volume[i]};
        }
    };
    start_anew();
    const double usual = step.dt;
    step.dt = part.dt * transfer.time_step(step, {}).seconds;
    transfer.move(step, terms);
    const double visits = part.implicit ? 3 + transfer.iterations() : 2;
    measure(state, static_cast<double>(fluid.size()), visits * fluid.pairs(), start_anew,
            [&] { transfer.move(step, terms); });
    if (part.implicit) state.counters["iterations"] = transfer.iterations();
    step.dt = usual;
}

} // namespace

void add_transfer_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    each_instruction_set([&](InstructionSet isa) {
        for (const TransferPart& part : parts)
            add_part(part_name(part.name, isa, particles),
                     [=](benchmark::State& state) { run_part(state, part, fluids->of(particles), isa); });
    });
}

} // namespace loam
