// All of a plan. One simulation is in memory at a time; it is warmed up once per size and solver, and every number of
// threads and instruction set takes the same steps from there.
#pragma once

#include <functional>

#include "bench/measure.h"
#include "bench/plan.h"

namespace loam {

struct BenchResults {
    std::vector<StepCost> steps;
    std::vector<SearchCost> searches;
    bool complete = false; // false when it was stopped
};

struct BenchProgress {
    std::size_t done = 0, all = 0; // rows of the table of steps
    BenchCase of;                  // what comes next; threads 0: getting ready
};
using BenchWatcher = std::function<void(const BenchProgress&)>;

// What was measured until `stop` became true is returned, too.
Result<BenchResults> run_bench(const BenchPlan& plan, const std::atomic<bool>* stop, const BenchWatcher& watcher);

// How much more a particle costs in a large simulation than in one of about 100k, with everything else alike. Implicit
// solves need more iterations for more particles, which is not the machine's doing: see at_equal_iterations.
struct Growth {
    BenchCase of;                   // particles: of the large one
    std::size_t small = 0;          // particles of the small one
    double growth = 0;              // 0.15: 15 % more
    double at_equal_iterations = 0; // if the large one had the iterations of the small one
};
// From the smallest size of at least 90k to the largest, where that is at least twice as large.
std::vector<Growth> growth_with_size(const std::vector<StepCost>& steps);

// Bytes that a size needs at most, to know before whether it fits.
double bytes_needed(std::size_t particles);

} // namespace loam
