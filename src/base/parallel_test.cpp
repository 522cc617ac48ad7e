#include "base/parallel.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

// Every other block says yes, and all of them must be heard, however many threads write at once.
TEST(ParallelReduce, OfTruthsLosesNone) {
    constexpr std::size_t blocks = 512;
    for (int round = 0; round < 200; ++round) {
        std::size_t heard = 0;
        parallel_reduce(
            blocks * block_size, false, [](Range range) { return range.begin / block_size % 2 == 1; },
            [&](bool, bool yes) {
                heard += yes;
                return yes;
            });
        ASSERT_EQ(heard, blocks / 2) << "in round " << round;
    }
}

} // namespace
} // namespace loam
