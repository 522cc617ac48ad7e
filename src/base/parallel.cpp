#include "base/parallel.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace loam {

void run_blocks(std::size_t blocks, void (*call)(const void* body, std::size_t block), const void* body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, blocks, 1), [=](const tbb::blocked_range<std::size_t>& some) {
        for (std::size_t block = some.begin(); block != some.end(); ++block) call(body, block);
    });
}

} // namespace loam
