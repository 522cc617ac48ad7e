// The results of `loam bench` for programs; fields are described in docs/command-line.md.
#include <nlohmann/json.hpp>

#include "bench/machine.h"
#include "bench_report.h"
#include "run/record.h"

namespace loam {
namespace {

LogLine json_of(const BenchCase& of) {
    LogLine line{{"particles", of.particles}, {"wall_particles", of.wall_particles}};
    if (!of.solver.empty()) line["solver"] = of.solver;
    line["threads"] = of.threads;
    line["simd"] = name_of(of.isa);
    return line;
}

LogLine json_of(const PassCost& pass, const StepCost& cost) {
    const double particles = static_cast<double>(cost.of.particles);
    const bool visits = pass.interactions && *pass.interactions > 0;
    return {{"name", pass.name},
            {"ns_per_particle_step", json_number(1e9 * pass.seconds / particles)},
            {"share", json_number(pass.seconds / cost.seconds)},
            {"interactions_per_particle_step", visits ? json_number(*pass.interactions / particles) : LogLine(nullptr)},
            {"ns_per_interaction", visits ? json_number(1e9 * pass.seconds / *pass.interactions) : LogLine(nullptr)}};
}

LogLine json_of(const StepCost& cost) {
    LogLine line = json_of(cost.of);
    line["steps"] = cost.steps;
    line["repeats"] = cost.repeats;
    line["seconds_per_step"] = json_number(cost.seconds);
    line["spread"] = json_number(cost.spread);
    line["million_particle_steps_per_second"] = json_number(1e-6 / cost.particle_seconds());
    line["ns_per_particle_step"] = json_number(1e9 * cost.particle_seconds());
    line["search_share"] = json_number(cost.share("neighbors"));
    line["searches_per_step"] = json_number(cost.searches);
    line["iterations"] = json_number(cost.iterations);
    line["divergence_iterations"] = json_number(cost.divergence_iterations);
    line["neighbors"] = json_number(cost.neighbors);
    line["wall_neighbors"] = json_number(cost.wall_neighbors);
    line["bytes_per_particle"] = json_number(cost.bytes);
    line["passes"] = LogLine::array();
    for (const PassCost& pass : cost.passes) line["passes"].push_back(json_of(pass, cost));
    return line;
}

LogLine json_of(const SearchCost& cost) {
    LogLine line = json_of(cost.of);
    line["repeats"] = cost.repeats;
    line["seconds"] = json_number(cost.seconds);
    line["million_particles_per_second"] = json_number(1e-6 / cost.particle_seconds());
    line["ns_per_particle"] = json_number(1e9 * cost.particle_seconds());
    line["ns_per_interaction"] = json_number(1e9 * cost.particle_seconds() / cost.neighbors);
    line["neighbors"] = json_number(cost.neighbors);
    return line;
}

LogLine json_of(const Growth& growth) {
    return {{"solver", growth.of.solver},
            {"threads", growth.of.threads},
            {"simd", name_of(growth.of.isa)},
            {"from_particles", growth.small},
            {"to_particles", growth.of.particles},
            {"growth", json_number(growth.growth)},
            {"growth_at_equal_iterations", json_number(growth.at_equal_iterations)}};
}

template <class List> LogLine array_of(const List& list) {
    LogLine all = LogLine::array();
    for (const auto& one : list) all.push_back(json_of(one));
    return all;
}

} // namespace

std::string json_of(const BenchPlan& plan, const BenchResults& results, const EarlierBench* before) {
    LogLine all{{"version", LOAM_VERSION}};
    all["machine"] = {
        {"processor", processor_name()}, {"cores", core_count()}, {"best_simd", name_of(best_instruction_set())}};
    all["fall_seconds"] = json_number(plan.fall_seconds);
    all["complete"] = results.complete;
    all["steps"] = array_of(results.steps);
    all["searches"] = array_of(results.searches);
    all["growth"] = array_of(growth_with_size(results.steps));
    if (before) all["compared"] = json_of(*before, results);
    return all.dump(2, ' ', false, LogLine::error_handler_t::replace);
}

} // namespace loam
