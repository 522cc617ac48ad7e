// How the results of `loam bench` are shown: tables for people, JSON for programs, and a plot.
#pragma once

#include <string>

#include "bench/bench.h"
#include "plot/plot.h"

namespace loam {

std::string machine_line();
std::string tables_of(const BenchResults& results);
std::string json_of(const BenchPlan& plan, const BenchResults& results);
Plot plot_of(const BenchResults& results);

} // namespace loam
