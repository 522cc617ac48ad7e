#include "bench_compare.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/input_file.h"
#include "bench/machine.h"
#include "bench/table.h"
#include "words.h"

namespace loam {
namespace {

// Throws Json::exception where something is missing or no number.
EarlierBench earlier_of(const LogLine& all, const std::string& path) {
    EarlierBench earlier{.file = path,
                         .version = all.at("version").get<std::string>(),
                         .processor = all.at("machine").at("processor").get<std::string>()};
    for (const LogLine& row : all.at("steps"))
        earlier.steps.push_back({.solver = row.at("solver").get<std::string>(),
                                 .simd = row.at("simd").get<std::string>(),
                                 .particles = row.at("particles").get<std::size_t>(),
                                 .threads = row.at("threads").get<int>(),
                                 .nanoseconds = row.at("ns_per_particle_step").get<double>(),
                                 .iterations = row.at("iterations").get<double>(),
                                 .bytes = row.at("bytes_per_particle").get<double>()});
    return earlier;
}

bool is_same(const EarlierBench::Row& before, const BenchCase& now) {
    return before.solver == now.solver && before.particles == now.particles && before.threads == now.threads &&
           before.simd == name_of(now.isa);
}

} // namespace

Result<EarlierBench> read_earlier_bench(const std::string& path) {
    const Result<std::string> text = read_input_file(path);
    if (!text) return text.error();
    try {
        const EarlierBench earlier = earlier_of(LogLine::parse(*text), path);
        const auto is_measured = [](const EarlierBench::Row& row) { return row.nanoseconds > 0; };
        if (std::all_of(earlier.steps.begin(), earlier.steps.end(), is_measured)) return earlier;
    } catch (const LogLine::exception&) { // said below
    }
    return Error{Fault::file, path, "is not what `loam bench --json` writes", "make one with loam bench --json > FILE"};
}

std::vector<Comparison> compare(const EarlierBench& before, const BenchResults& now) {
    std::vector<Comparison> rows;
    for (const StepCost& cost : now.steps) {
        const auto same = std::find_if(before.steps.begin(), before.steps.end(),
                                       [&](const EarlierBench::Row& row) { return is_same(row, cost.of); });
        if (same != before.steps.end()) rows.push_back({&*same, &cost});
    }
    return rows;
}

std::string comparison_table(const EarlierBench& before, const BenchResults& now) {
    std::string text = fmt::format("\nBeside {} (loam {})\n", before.file, before.version);
    if (before.processor != processor_name())
        text += fmt::format("That was another machine, {}: the differences are not the program's alone.\n",
                            before.processor);
    const std::vector<Comparison> rows = compare(before, now);
    if (rows.empty()) return text + "No row is in both: give the same sizes, solvers, threads and instruction sets.\n";
    Table table({"solver", "particles", "threads", "simd", "ns/particle before", "now", "time", "iterations before",
                 "now", "bytes/particle before", "now"});
    for (const Comparison& row : rows) {
        const BenchCase& of = row.now->of;
        table.add({of.solver, grouped(of.particles), std::to_string(of.threads), std::string(name_of(of.isa)),
                   fmt::format("{:.0f}", row.before->nanoseconds),
                   fmt::format("{:.0f}", 1e9 * row.now->particle_seconds()),
                   fmt::format("{:+.0f} %", 100 * (row.ratio() - 1)), fmt::format("{:.1f}", row.before->iterations),
                   fmt::format("{:.1f}", row.now->iterations), fmt::format("{:.0f}", row.before->bytes),
                   fmt::format("{:.0f}", row.now->bytes)});
    }
    return text + table.text();
}

LogLine json_of(const EarlierBench& before, const BenchResults& now) {
    LogLine all{{"file", before.file}, {"version", before.version}, {"processor", before.processor}};
    all["steps"] = LogLine::array();
    for (const Comparison& row : compare(before, now))
        all["steps"].push_back({{"solver", row.before->solver},
                                {"particles", row.before->particles},
                                {"threads", row.before->threads},
                                {"simd", row.before->simd},
                                {"ns_per_particle_step_before", json_number(row.before->nanoseconds)},
                                {"ns_per_particle_step", json_number(1e9 * row.now->particle_seconds())},
                                {"time_ratio", json_number(row.ratio())}});
    return all;
}

} // namespace loam
