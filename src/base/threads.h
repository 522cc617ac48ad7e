// How many threads parallel loops may use.
#pragma once

#include <cstddef>

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

namespace loam {

// Runs the work with that many threads, also when there are fewer cores, and returns what it returns.
template <class Work> auto with_threads(int threads, const Work& work) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
    tbb::task_arena arena(threads);
    return arena.execute(work);
}

} // namespace loam
