// A pass: a loop over particles, described by the columns that it reads and writes. All passes start here, so what runs
// where is decided in one place: on which instruction set now, on a device or by several processes later.
//
//     Pass pass(step, "density");
//     pass.run(density_alone, {.particles = pass.pairs(), .kernel = step.scene.kernel,
//                              .density = pass.writes(pool.density)});
//
// A column is named where its pointer is taken, so the description is what the loop really gets.
#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

#include "base/instruction_set.h"
#include "base/parallel.h"
#include "passes/context.h"

namespace loam {

class Pass {
public:
    Pass(StepContext& step, std::string_view name) : step_(step), name_(name) {}

    // Of the particle and of its neighbors.
    template <class T> const T* reads(Column<T> column) {
        note(reads_, column.index);
        return step_.particles[column].data();
    }
    template <class T> const T* reads_walls(Column<T> column) {
        note(wall_reads_, column.index);
        return step_.walls[column].data();
    }
    // Of the particle alone; what it was before is lost, or is all that is read of it.
    template <class T> T* writes(Column<T> column) {
        note(writes_, column.index);
        return step_.particles[column].data();
    }
    // Pairs of particles with particles, and of particles with walls.
    PairView pairs() {
        reads(step_.particles.place);
        return step_.particle_pairs();
    }
    PairView wall_pairs() {
        reads(step_.particles.place), reads_walls(step_.walls.place);
        return step_.wall_pairs();
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
             const Combine& combine) {
        begin();
        auto* const loop = function.on(step_.scene.isa);
        return parallel_reduce(
            step_.particles.size(), T{}, [&](Range range) { return loop(args, range); }, combine);
    }

private:
    static void note(std::vector<std::size_t>& columns, std::size_t index);
    // Puts the description down in StepContext::passes. Throws std::logic_error where a column is both read, so also of
    // neighbors, and written: its neighbors would see it or not as threads go.
    void begin() const;

    StepContext& step_;
    std::string_view name_;
    std::vector<std::size_t> reads_, wall_reads_, writes_;
};

} // namespace loam
