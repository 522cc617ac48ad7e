// loam bench: how fast this machine steps.
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <unistd.h>

#include <fmt/format.h>

#include "bench/bench.h"
#include "bench/machine.h"
#include "bench_report.h"
#include "cache/durable.h"
#include "commands.h"
#include "exit_code.h"
#include "stop_signal.h"
#include "tell_people.h"
#include "words.h"

namespace loam {
namespace {

constexpr const char *usual_sizes = "10k,100k,1M,2M", *quick_sizes = "10k,100k";

Result<BenchPlan> plan_of(const BenchArguments& arguments) {
    BenchPlan plan{.fall_seconds = arguments.fall_seconds};
    if (arguments.quick) plan.repeats = 1, plan.patience = 1;
    if (arguments.repeats > 0) plan.repeats = arguments.repeats, plan.patience = 1e9;
    auto sizes = read_sizes(arguments.sizes.value_or(arguments.quick ? quick_sizes : usual_sizes));
    if (!sizes) return sizes.error();
    auto solvers = read_solvers(arguments.solvers);
    if (!solvers) return solvers.error();
    auto threads = read_threads(arguments.threads);
    if (!threads) return threads.error();
    auto instruction_sets = read_instruction_sets(arguments.simd);
    if (!instruction_sets) return instruction_sets.error();
    plan.sizes = std::move(*sizes), plan.solvers = std::move(*solvers);
    plan.threads = std::move(*threads), plan.instruction_sets = std::move(*instruction_sets);
    return plan;
}

Status check_memory(const BenchPlan& plan) {
    const std::size_t largest = plan.sizes.back();
    const auto there = available_memory();
    if (!there || bytes_needed(largest) <= *there) return Done{};
    return Error{
        Fault::usage, "--sizes",
        fmt::format("{} particles need up to {} of memory", grouped(largest), byte_text(bytes_needed(largest))),
        fmt::format("{} is free", byte_text(*there))};
}

// Before anything is measured: minutes of work are not to be lost to a folder that cannot be.
Status make_place_for(const std::string& plot) {
    const std::filesystem::path folder = std::filesystem::path(plot).parent_path();
    if (plot.empty() || folder.empty()) return Done{};
    return make_folder(folder);
}

Status write_plot(const std::string& file, const BenchResults& results) {
    if (file.empty()) return Done{};
    const std::string svg = svg_of(plot_of(results));
    const Bytes pieces[] = {bytes_of(svg)};
    return write_durably(file, pieces);
}

// One line on stderr that is overwritten; nothing when that is not a terminal.
void tell(const BenchProgress& progress) {
    const BenchCase& of = progress.of;
    const std::string what =
        of.threads == 0 ? "getting ready"
                        : fmt::format("{} thread{}, {}", of.threads, of.threads == 1 ? "" : "s", name_of(of.isa));
    tell_people("\r\033[K[{}/{}] {} particles, {}, {}", progress.done, progress.all,
                short_count(static_cast<double>(of.particles)), of.solver, what);
    std::fflush(stderr);
}

void warn_if_busy() {
    if (const double busy = busy_processors(); busy > 0.5)
        tell_people("the machine was busy in the last minute (load {:.1f}): expect numbers that are too low\n", busy);
}

int show(const BenchArguments& arguments, const BenchPlan& plan, const BenchResults& results,
         const EarlierBench* before) {
    if (arguments.json)
        fmt::print("{}\n", json_of(plan, results, before));
    else if (!results.steps.empty())
        fmt::print("{}{}", tables_of(results), before ? comparison_table(*before, results) : "");
    if (Status written = write_plot(arguments.plot, results); !written) return complain(written.error());
    if (results.complete) return exit_ok;
    tell_people("stopped: {} rows were measured\n", results.steps.size());
    return stop_signal() == SIGTERM ? exit_terminated : exit_interrupted;
}

} // namespace

int bench(const BenchArguments& arguments) {
    const Result<BenchPlan> plan = plan_of(arguments);
    if (!plan) return complain(plan.error());
    if (Status fits = check_memory(*plan); !fits) return complain(fits.error());
    if (Status made = make_place_for(arguments.plot); !made) return complain(made.error());
    std::optional<EarlierBench> before;
    if (!arguments.compare.empty()) {
        Result<EarlierBench> read = read_earlier_bench(arguments.compare);
        if (!read) return complain(read.error());
        before = std::move(*read);
    }

    const std::atomic<bool>& stop = watch_for_stop();
    if (!arguments.json) {
        fmt::print("{}\nA dam break in a box of particles, cubic spline, support of four radii\n", machine_line());
        std::fflush(stdout);
    }
    warn_if_busy();
    const bool live = isatty(STDERR_FILENO);
    const auto results = run_bench(*plan, &stop, live ? BenchWatcher(tell) : BenchWatcher());
    if (live) tell_people("\r\033[K");
    if (!results) return complain(results.error());
    return show(arguments, *plan, *results, before ? &*before : nullptr);
}

} // namespace loam
