// How the results of `loam bench` are shown: tables for people, JSON for programs, and a plot.
#pragma once

#include <string>

#include "bench/bench.h"
#include "bench_compare.h"
#include "plot/plot.h"

namespace loam {

std::string machine_line();
std::string tables_of(const BenchResults& results);
// `before` may be null.
std::string json_of(const BenchPlan& plan, const BenchResults& results, const EarlierBench* before);
Plot plot_of(const BenchResults& results);

} // namespace loam
