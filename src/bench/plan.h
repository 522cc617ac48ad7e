// What to measure, and reading it from the words of a command line: every combination of the lists is one row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/instruction_set.h"
#include "base/result.h"

namespace loam {

struct BenchPlan {
    std::vector<std::size_t> sizes; // fluid particles
    std::vector<std::string> solvers;
    std::vector<int> threads;
    std::vector<InstructionSet> instruction_sets;
    int repeats = 3;         // of the same steps, at most
    double patience = 4;     // seconds of measuring in a row after which nothing is repeated any more
    double fall_seconds = 0; // of a dam break from rest before anything is measured; 0: see dam_break.h
};

// "10k,100k,1.5M": numbers of particles, ascending.
Result<std::vector<std::size_t>> read_sizes(std::string_view words);
// "wcsph,dfsph": solvers that there are.
Result<std::vector<std::string>> read_solvers(std::string_view words);
// "1,2"
Result<std::vector<int>> read_threads(std::string_view words);
// "best,scalar": instruction sets that this machine has; best is the best of them.
Result<std::vector<InstructionSet>> read_instruction_sets(std::string_view words);

} // namespace loam
