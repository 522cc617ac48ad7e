// Sorting and searching.
#include <random>

#include "neighbors/radix_sort.h"
#include "neighbors/search.h"
#include "parts.h"

namespace loam {
namespace {

// As the grid has them: some 24 bits of a cell above the particle's index.
std::vector<std::uint64_t> shuffled_keys(std::size_t count) {
    std::mt19937_64 random(1);
    std::vector<std::uint64_t> keys(count);
    for (std::size_t k = 0; k < count; ++k) keys[k] = (random() >> 40) << 24 | k;
    return keys;
}

void sort_keys(benchmark::State& state, std::size_t particles) {
    const std::vector<std::uint64_t> keys = shuffled_keys(particles);
    std::vector<std::uint64_t> words, spare;
    measure(
        state, static_cast<double>(particles), 0, [&] { words = keys; }, [&] { radix_sort(words, spare, 24, 48); });
}

void make_grid(benchmark::State& state, Fluid& fluid) {
    Grid grid;
    const auto positions = fluid.pool[fluid.pool.position];
    const CellFrame frame = fluid.neighbors->frame();
    measure(state, static_cast<double>(fluid.size()), 0, [&] {
        grid.sort(positions, frame);
        grid.take_positions(positions, frame);
    });
}

void make_lists(benchmark::State& state, Fluid& fluid, InstructionSet isa) {
    Grid grid;
    const CellFrame frame = fluid.neighbors->frame();
    grid.sort(fluid.pool[fluid.pool.position], frame);
    grid.take_positions(fluid.pool[fluid.pool.position], frame);
    NeighborList list;
    measure(state, static_cast<double>(fluid.size()), fluid.pairs(),
            [&] { search(grid, grid, fluid.support, frame, false, isa, list); });
}

// Sort, lists of particles and of walls: what a step without a skin does.
void search_all(benchmark::State& state, Fluid& fluid, InstructionSet isa) {
    Neighborhood neighborhood(fluid.settings(isa));
    measure(
        state, static_cast<double>(fluid.size()), fluid.pairs() + fluid.wall_pairs(),
        [&] { neighborhood.invalidate(); }, [&] { neighborhood.update(fluid.pool, fluid.walls); });
}

} // namespace

void add_neighbor_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids) {
    add_part(part_name("radix_sort", particles), [=](benchmark::State& state) { sort_keys(state, particles); });
    add_part(part_name("grid", particles), [=](benchmark::State& state) { make_grid(state, fluids->of(particles)); });
    each_instruction_set([&](InstructionSet isa) {
        add_part(part_name("lists", isa, particles),
                 [=](benchmark::State& state) { make_lists(state, fluids->of(particles), isa); });
        add_part(part_name("search", isa, particles),
                 [=](benchmark::State& state) { search_all(state, fluids->of(particles), isa); });
    });
}

} // namespace loam
