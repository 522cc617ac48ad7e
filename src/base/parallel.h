// Parallel loops with results that do not depend on the number of threads.
//
// Work is cut into blocks of a fixed size, whatever the number of threads. A block writes only its own particles, and
// reductions keep one partial result per block and add the blocks up in order.
#pragma once

#include <cstddef>
#include <vector>

#include "base/blocks.h"

namespace loam {

// call(body, block) for each of the blocks. Not a template, so that only one source sees the threads' library, which
// takes long to compile.
void run_blocks(std::size_t blocks, void (*call)(const void* body, std::size_t block), const void* body);

// body(Range, block index) for each block of [0, count).
template <class Body> void parallel_blocks(std::size_t count, std::size_t size, const Body& body) {
    const std::size_t blocks = block_count(count, size);
    if (blocks == 1) return body(Range{0, count}, std::size_t{0});
    const auto one = [&](std::size_t block) { body(block_range(block, count, size), block); };
    run_blocks(
        blocks, [](const void* task, std::size_t block) { (*static_cast<decltype(&one)>(task))(block); }, &one);
}

template <class Body> void parallel_ranges(std::size_t count, const Body& body) {
    parallel_blocks(count, block_size, [&](Range range, std::size_t) { body(range); });
}

template <class Body> void parallel_each(std::size_t count, const Body& body) {
    parallel_ranges(count, [&](Range range) {
        for (std::size_t i = range.begin; i != range.end; ++i) body(i);
    });
}

// combine(combine(initial, map(block 0)), map(block 1)) ...: the same order for any number of threads.
template <class T, class Map, class Combine>
T parallel_reduce(std::size_t count, T initial, const Map& map, const Combine& combine) {
    struct Part { // std::vector<bool> would pack the results of several blocks into one word, where threads race
        T value;
    };
    std::vector<Part> parts(block_count(count), Part{initial});
    parallel_blocks(count, block_size, [&](Range range, std::size_t block) { parts[block].value = map(range); });
    for (const Part& part : parts) initial = combine(initial, part.value);
    return initial;
}

} // namespace loam
