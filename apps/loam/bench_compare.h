// A run of `loam bench` beside an earlier one.
#pragma once

#include <string>
#include <vector>

#include "bench/bench.h"
#include "run/record.h"

namespace loam {

// What an earlier run wrote with --json.
struct EarlierBench {
    struct Row {
        std::string solver, simd;
        std::size_t particles = 0;
        int threads = 0;
        double nanoseconds = 0; // per particle and step
        double iterations = 0, bytes = 0;
    };
    std::string file, version, processor;
    std::vector<Row> steps;
};

Result<EarlierBench> read_earlier_bench(const std::string& path);

// Rows that both have.
struct Comparison {
    const EarlierBench::Row* before = nullptr;
    const StepCost* now = nullptr;

    double ratio() const { return 1e9 * now->particle_seconds() / before->nanoseconds; } // of times: below 1 is faster
};
std::vector<Comparison> compare(const EarlierBench& before, const BenchResults& now);

std::string comparison_table(const EarlierBench& before, const BenchResults& now);
LogLine json_of(const EarlierBench& before, const BenchResults& now);

} // namespace loam
