#include "bench_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "bench/machine.h"
#include "bench/table.h"
#include "words.h"

namespace loam {
namespace {

constexpr double least_share = 0.03; // of the time: passes that never take more are shown as one

using Cells = std::vector<std::string>;

std::string name_text(InstructionSet isa) { return std::string(name_of(isa)); }

Cells joined(Cells first, const Cells& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const Cells case_heads{"particles", "threads", "simd"};

Cells case_cells(const BenchCase& of) { return {grouped(of.particles), std::to_string(of.threads), name_text(of.isa)}; }

std::string number(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

std::string iterations_text(const StepCost& cost) {
    if (cost.of.solver == "wcsph") return "-";
    const std::string volume = number(cost.iterations, 1);
    return cost.divergence_iterations > 0 ? volume + " + " + number(cost.divergence_iterations, 1) : volume;
}

Table steps_table(const std::vector<StepCost>& steps) {
    Table table(joined({"solver"}, joined(case_heads, {"M particle-steps/s", "ns/particle", "search", "iterations",
                                                       "neighbors", "bytes/particle", "spread"})));
    for (const StepCost& cost : steps)
        table.add(joined({cost.of.solver},
                         joined(case_cells(cost.of),
                                {number(1e-6 / cost.particle_seconds(), 2), number(1e9 * cost.particle_seconds(), 0),
                                 number(100 * cost.share("neighbors"), 0) + " %", iterations_text(cost),
                                 number(cost.neighbors + cost.wall_neighbors, 1), number(cost.bytes, 0),
                                 number(100 * cost.spread, 0) + " %"})));
    return table;
}

std::vector<std::string> solvers_in(const std::vector<StepCost>& steps) {
    std::vector<std::string> all;
    for (const StepCost& cost : steps)
        if (std::find(all.begin(), all.end(), cost.of.solver) == all.end()) all.push_back(cost.of.solver);
    return all;
}

// Passes of a solver that matter in at least one row, in the order of the step.
std::vector<std::string> large_passes(const std::vector<StepCost>& steps, const std::string& solver) {
    std::vector<std::string> all;
    for (const StepCost& cost : steps)
        if (cost.of.solver == solver)
            for (const PassCost& pass : cost.passes)
                if (pass.name != "rest" && cost.share(pass.name) >= least_share &&
                    std::find(all.begin(), all.end(), pass.name) == all.end())
                    all.push_back(pass.name);
    return all;
}

const PassCost* find_pass(const StepCost& cost, const std::string& name) {
    for (const PassCost& pass : cost.passes)
        if (pass.name == name) return &pass;
    return nullptr;
}

bool visits_pairs(const PassCost* pass) { return pass && pass->interactions && *pass->interactions > 0; }

// One column per pass, and one for what a pair costs where it visits pairs; what small passes take is in the last one.
Table passes_table(const std::vector<StepCost>& steps, const std::string& solver) {
    const std::vector<std::string> names = large_passes(steps, solver);
    const auto by_pair = [&](const std::string& name) {
        return std::any_of(steps.begin(), steps.end(), [&](const StepCost& cost) {
            return cost.of.solver == solver && visits_pairs(find_pass(cost, name));
        });
    };
    Cells heads = case_heads;
    for (const std::string& name : names) {
        heads.push_back(name);
        if (by_pair(name)) heads.push_back("per pair");
    }
    heads.push_back("rest");
    Table table(heads);
    for (const StepCost& cost : steps) {
        if (cost.of.solver != solver) continue;
        const double scale = 1e9 / static_cast<double>(cost.of.particles);
        Cells cells = case_cells(cost.of);
        double rest = cost.seconds;
        for (const std::string& name : names) {
            const PassCost* pass = find_pass(cost, name);
            const double seconds = pass ? pass->seconds : 0;
            rest -= seconds;
            cells.push_back(number(scale * seconds, 1));
            if (by_pair(name))
                cells.push_back(visits_pairs(pass) ? number(1e9 * seconds / *pass->interactions, 2) : "-");
        }
        cells.push_back(number(scale * rest, 1));
        table.add(cells);
    }
    return table;
}

Table search_table(const std::vector<SearchCost>& searches) {
    Table table(joined(case_heads, {"M particles/s", "ns/particle", "ns/pair", "neighbors"}));
    for (const SearchCost& cost : searches)
        table.add(joined(case_cells(cost.of),
                         {number(1e-6 / cost.particle_seconds(), 2), number(1e9 * cost.particle_seconds(), 1),
                          number(1e9 * cost.particle_seconds() / cost.neighbors, 2), number(cost.neighbors, 1)}));
    return table;
}

Table growth_table(const std::vector<Growth>& growths) {
    Table table({"solver", "threads", "simd", "from", "to", "growth", "at equal iterations"});
    for (const Growth& one : growths)
        table.add({one.of.solver, std::to_string(one.of.threads), name_text(one.of.isa), grouped(one.small),
                   grouped(one.of.particles), fmt::format("{:+.0f} %", 100 * one.growth),
                   fmt::format("{:+.0f} %", 100 * one.at_equal_iterations)});
    return table;
}

} // namespace

std::string machine_line() {
    return fmt::format("{}, {} core{}, best instruction set {}", processor_name(), core_count(),
                       core_count() == 1 ? "" : "s", name_of(best_instruction_set()));
}

std::string tables_of(const BenchResults& results) {
    std::string text = "\nWhole steps\n" + steps_table(results.steps).text();
    for (const std::string& solver : solvers_in(results.steps))
        text += fmt::format("\nPasses of {}: ns per particle and step, and per pair of neighbors visited\n{}", solver,
                            passes_table(results.steps, solver).text());
    text += "\nFull neighbor search alone: sort and lists\n" + search_table(results.searches).text();
    if (const auto growths = growth_with_size(results.steps); !growths.empty())
        text += "\nGrowth of the cost per particle and step with size\n" + growth_table(growths).text();
    return text;
}

Plot plot_of(const BenchResults& results) {
    Panel panel{.x_label = "fluid particles",
                .y_label = "million particle-steps per second",
                .x = Scale::logarithmic,
                .y = Scale::logarithmic};
    const std::vector<std::string> solvers = solvers_in(results.steps);
    int fewest = 1 << 30;
    for (const StepCost& cost : results.steps) fewest = std::min(fewest, cost.of.threads);
    for (const StepCost& cost : results.steps) {
        const BenchCase& of = cost.of;
        const std::string name =
            fmt::format("{}, {} thread{}, {}", of.solver, of.threads, of.threads == 1 ? "" : "s", name_of(of.isa));
        auto line =
            std::find_if(panel.lines.begin(), panel.lines.end(), [&](const auto& one) { return one.name == name; });
        if (line == panel.lines.end()) {
            const auto color = std::find(solvers.begin(), solvers.end(), of.solver) - solvers.begin();
            panel.lines.push_back({.name = name,
                                   .color = static_cast<std::size_t>(color),
                                   .dashed = of.isa == InstructionSet::scalar,
                                   .thin = of.threads == fewest,
                                   .points = {}});
            line = panel.lines.end() - 1;
        }
        line->points.push_back({static_cast<double>(of.particles), 1e-6 / cost.particle_seconds()});
    }
    return {.title = "Speed of whole steps of a dam break", .subtitle = machine_line(), .panels = {panel}};
}

} // namespace loam
