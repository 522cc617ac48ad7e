// A pass: a loop over particles, described by the columns that it reads and writes. All passes start here, so what runs
// where is decided in one place: on which instruction set now, on a device or by several processes later.
//
//     Pass pass(step, "density");
//     pass.run(density_alone, {.particles = pass.pairs(), .kernel = step.scene.kernel,
//                              .density = pass.writes(pool.density)});
//
// A column is named where its pointer is taken, so the description is what the loop really gets.
//
// Laws with slots of their own (the bonds of elastic bodies, springs) keep arrays by slot, not columns of the pool:
// there is nothing to describe, and no other process or device has them. Their loops start by run_on_slots().
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/instruction_set.h"
#include "base/parallel.h"
#include "passes/context.h"
#include "passes/pair_view.h"

namespace loam {

class Pass {
public:
    Pass(const StepContext& step, std::string_view name) : step_(step), name_(name) {}

    const StepContext& step() const { return step_; }

    // Of the particle and of its neighbors.
    template <class T> const T* reads(Column<T> column) {
        reads_.add(column.index);
        return step_.particles[column].data();
    }
    template <class T> const T* reads_walls(Column<T> column) {
        wall_reads_.add(column.index);
        return step_.walls[column].data();
    }
    // Of the particle alone: set, or changed from what it was.
    template <class T> T* writes(Column<T> column) {
        writes_.add(column.index);
        return step_.particles[column].data();
    }
    // Pairs of particles with particles, and of particles with walls.
    PairView pairs() { return pairs(step_.particles.place, step_.particles.place); }
    PairView wall_pairs() { return wall_pairs(step_.particles.place, step_.walls.place); }
    // The same with other records of places and volumes than those of now.
    PairView pairs(Column<Float4> own, Column<Float4> others) {
        return view(step_.neighbors->particles, reads(own), reads(others));
    }
    PairView wall_pairs(Column<Float4> own, Column<Float4> walls) {
        return view(step_.neighbors->walls, reads(own), reads_walls(walls));
    }

    template <class Args>
    void run(const Dispatch<void(const Args&, Range)>& function, const std::type_identity_t<Args>& args) {
        begin();
        auto* const loop = function.on(step_.scene.isa);
        parallel_ranges(step_.particles.size(), [&](Range range) { loop(args, range); });
    }
    // Of loops that return something for their range: the same for any number of threads.
    template <class Args, class T, class Combine>
    T reduce(const Dispatch<T(const Args&, Range)>& function, const std::type_identity_t<Args>& args,
             const Combine& combine, const std::type_identity_t<T>& initial = {}) {
        begin();
        auto* const loop = function.on(step_.scene.isa);
        return parallel_reduce(
            step_.particles.size(), initial, [&](Range range) { return loop(args, range); }, combine);
    }

private:
    // Some columns, each once. A pass has few and small fluids run many, so they take no memory that has to be asked
    // for.
    class Noted {
    public:
        void add(std::size_t column);
        bool has(std::size_t column) const { return std::find(begin(), end(), column) != end(); }
        const std::size_t* begin() const { return columns_.data(); }
        const std::size_t* end() const { return columns_.data() + count_; }

    private:
        std::array<std::size_t, 16> columns_{};
        std::size_t count_ = 0;
    };
    static std::vector<std::string> names(const Columns& columns, const Noted& noted);

    PairView view(const NeighborList& list, const Float4* own, const Float4* others) const;
    // Puts the description down in StepContext::passes. Throws std::logic_error where a column is both read, so also of
    // neighbors, and written: its neighbors would see it or not as threads go.
    void begin() const;

    const StepContext& step_;
    std::string_view name_;
    Noted reads_, wall_reads_, writes_;
};

// A loop over the slots of a law, or over groups of them: `block` of what is counted at a time, whatever the threads.
template <class Args>
void run_on_slots(InstructionSet isa, const Dispatch<void(const Args&, Range)>& function,
                  const std::type_identity_t<Args>& args, std::size_t count, std::size_t block = block_size) {
    auto* const loop = function.on(isa);
    parallel_blocks(count, block, [&](Range range, std::size_t) { loop(args, range); });
}

} // namespace loam
