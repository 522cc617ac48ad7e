#include "bench/measure.h"

#include <algorithm>
#include <chrono>

#include "base/threads.h"
#include "bench/dam_break.h"

namespace loam {
namespace {

constexpr double end_of_time = 1000; // [s]: no step is cut short to meet it
constexpr std::size_t explicit_steps = 10, implicit_steps = 3;

Error stopped() { return {Fault::stopped, "", "stopped on request"}; }

template <class Work> double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A solver whose lists last for several steps is measured over whole lives of lists.
bool keeps_lists(const Simulation& simulation) { return simulation.scene().pressure == "wcsph"; }

// What one repetition found.
struct Repetition {
    double seconds = 0; // per step
    std::size_t steps = 0;
    double searches = 0;
    StepReport report;
    std::vector<Profile::Line> passes; // seconds of all steps
};

// The first step makes lists and fills caches and is not counted. The last one makes lists anew.
Result<Repetition> repeat_steps(Simulation& simulation, const Snapshot& from, const BenchLimits& limits) {
    if (Status restored = simulation.restore(from); !restored) return restored.error();
    if (Status done = simulation.step(end_of_time); !done) return done.error();
    simulation.take_report();
    simulation.profile().clear();

    Repetition all;
    const std::size_t wanted = keeps_lists(simulation) ? explicit_steps : implicit_steps;
    const std::size_t first_build = simulation.neighborhood().builds();
    double total = 0;
    for (bool fresh = false; all.steps < wanted || (!fresh && all.steps < 4 * wanted); ++all.steps) {
        if (limits.stopped()) return stopped();
        const std::size_t builds = simulation.neighborhood().builds();
        Status done = Done{};
        total += seconds_of([&] { done = simulation.step(end_of_time); });
        if (!done) return done.error();
        fresh = simulation.neighborhood().builds() > builds;
    }
    const auto steps = static_cast<double>(all.steps);
    all.seconds = total / steps;
    all.searches = static_cast<double>(simulation.neighborhood().builds() - first_build) / steps;
    all.report = simulation.take_report();
    all.passes = simulation.profile().lines();
    return all;
}

// How many entries of lists a pass visits in a step. Implicit solves begin with one visit for their source; then each
// iteration is a push and its divergence (src/pressure/relaxation.cpp).
std::optional<double> interactions(const std::string& pass, const StepCost& cost) {
    const double pairs = cost.neighbors * static_cast<double>(cost.of.particles);
    const double all = pairs + cost.wall_neighbors * static_cast<double>(cost.of.particles);
    const bool relaxes = cost.of.solver == "dfsph" || cost.of.solver == "iisph";
    if (pass == "neighbors") return cost.searches * all;
    if (pass == "density") return all;
    if (pass == "pressure") return pairs;
    if (pass == "divergence solve") return pairs * (1 + 2 * cost.divergence_iterations);
    if (pass == "pressure solve" && relaxes) return pairs * (1 + 2 * cost.iterations);
    return {};
}

// The passes of the repetition in the middle; so they add up to its time.
void take_passes(const Repetition& middle, StepCost& cost) {
    double rest = middle.seconds;
    for (const Profile::Line& line : middle.passes) {
        const double seconds = line.seconds / static_cast<double>(middle.steps);
        rest -= seconds;
        cost.passes.push_back({line.name, seconds, interactions(line.name, cost)});
    }
    cost.passes.push_back({"rest", std::max(rest, 0.0), {}});
}

BenchCase case_of(const Simulation& simulation, int threads) {
    return {simulation.particles().size(), simulation.walls().size(), simulation.scene().pressure, threads,
            simulation.context().scene.isa};
}

StepCost summarize(const Simulation& simulation, int threads, std::vector<Repetition> all) {
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    const Repetition& middle = all[(all.size() - 1) / 2];
    StepCost cost{.of = case_of(simulation, threads), .steps = middle.steps, .repeats = all.size()};
    const auto particles = static_cast<double>(cost.of.particles);
    cost.seconds = middle.seconds;
    cost.spread = (all.back().seconds - all.front().seconds) / middle.seconds;
    cost.neighbors = static_cast<double>(simulation.neighborhood().particles.pair_count()) / particles;
    cost.wall_neighbors = static_cast<double>(simulation.neighborhood().walls.pair_count()) / particles;
    cost.searches = middle.searches;
    cost.iterations = middle.report.iterations;
    cost.divergence_iterations = middle.report.divergence_iterations;
    cost.bytes = static_cast<double>(simulation.memory()) / particles;
    take_passes(middle, cost);
    return cost;
}

// Into particles that are not of a simulation, and have fewer columns.
void copy_known(const SavedColumns& from, Columns& to) {
    to.resize(from.particles);
    for (std::size_t c = 0; c < to.column_count(); ++c)
        if (const SavedColumn* known = from.find(to.info(c).name))
            std::copy(known->bytes.begin(), known->bytes.end(), to.bytes(c));
}

} // namespace

double StepCost::share(const std::string& pass) const {
    for (const PassCost& one : passes)
        if (one.name == pass) return one.seconds / seconds;
    return 0;
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

Status warm_up(Simulation& simulation, double fall_seconds, const BenchLimits& limits) {
    const std::size_t wanted = keeps_lists(simulation) ? 2 * explicit_steps : 2 * implicit_steps;
    if (fall_seconds == 0) set_first_pressure(simulation);
    while (fall_seconds > 0 ? simulation.time() < fall_seconds : simulation.steps() < wanted) {
        if (limits.stopped()) return stopped();
        if (Status done = simulation.step(fall_seconds > 0 ? fall_seconds : end_of_time); !done) return done;
    }
    return Done{};
}

Result<StepCost> measure_steps(Simulation& simulation, const Snapshot& from, int threads, const BenchLimits& limits) {
    std::vector<Repetition> all;
    double total = 0;
    while (all.empty() || (static_cast<int>(all.size()) < limits.repeats && total < limits.patience)) {
        Result<Repetition> one = with_threads(threads, [&] { return repeat_steps(simulation, from, limits); });
        if (!one) return one.error();
        total += one->seconds * static_cast<double>(one->steps + 1);
        all.push_back(std::move(*one));
    }
    return summarize(simulation, threads, std::move(all));
}

Result<SearchCost> measure_search(const Simulation& simulation, const Snapshot& from, int threads,
                                  const BenchLimits& limits) {
    Pool pool;
    copy_known(from.columns, pool);
    Walls walls;
    walls.resize(simulation.walls().size());
    const auto places = simulation.walls()[simulation.walls().position];
    std::copy(places.begin(), places.end(), walls[walls.position].begin());
    Neighborhood neighborhood({.support = simulation.scene().support(),
                               .origin = simulation.neighborhood().frame().origin,
                               .isa = simulation.context().scene.isa});
    std::vector<double> seconds;
    double total = 0;
    const auto search = [&] {
        neighborhood.invalidate();
        neighborhood.update(pool, walls);
    };
    with_threads(threads, search); // walls are sorted, and memory is there
    const std::size_t repeats = 3 * static_cast<std::size_t>(limits.repeats);
    while (seconds.empty() || (seconds.size() < repeats && total < limits.patience)) {
        if (limits.stopped()) return stopped();
        seconds.push_back(with_threads(threads, [&] { return seconds_of(search); }));
        total += seconds.back();
    }
    SearchCost cost{.of = case_of(simulation, threads), .repeats = seconds.size(), .seconds = median(seconds)};
    cost.of.solver.clear();
    cost.neighbors = static_cast<double>(neighborhood.particles.pair_count() + neighborhood.walls.pair_count()) /
                     static_cast<double>(cost.of.particles);
    return cost;
}

} // namespace loam
