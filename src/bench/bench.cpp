#include "bench/bench.h"

#include <algorithm>

#include "base/threads.h"
#include "bench/dam_break.h"
#include "step/simulation.h"

namespace loam {
namespace {

class Bench {
public:
    Bench(const BenchPlan& plan, const std::atomic<bool>* stop, const BenchWatcher& watcher)
        : plan_(plan), limits_{plan.repeats, plan.patience, stop}, watcher_(watcher),
          most_threads_(*std::max_element(plan.threads.begin(), plan.threads.end())) {
        progress_.all = plan.sizes.size() * plan.solvers.size() * plan.threads.size() * plan.instruction_sets.size();
    }

    Result<BenchResults> run() {
        const Status done = all_sizes();
        if (!done && done.error().fault != Fault::stopped) return done.error();
        results_.complete = static_cast<bool>(done);
        return std::move(results_);
    }

private:
    Status all_sizes() {
        for (const std::size_t size : plan_.sizes)
            for (const std::string& solver : plan_.solvers)
                if (Status done = one_scene(size, solver); !done) return done;
        return Done{};
    }

    Status one_scene(std::size_t size, const std::string& solver) {
        const Result<Scene> scene = dam_break_scene(size, solver, plan_.fall_seconds > 0);
        if (!scene) return scene.error();
        std::optional<Snapshot> start;
        for (const InstructionSet isa : plan_.instruction_sets) {
            tell({size, 0, solver, 0, isa});
            auto simulation = get_ready(*scene, isa, start);
            if (!simulation) return simulation.error();
            if (Status done = all_threads(**simulation, *start); !done) return done;
        }
        return Done{};
    }

    // Warms up the first one; the others begin where it is then.
    Result<std::unique_ptr<Simulation>> get_ready(const Scene& scene, InstructionSet isa,
                                                  std::optional<Snapshot>& start) {
        return with_threads(most_threads_, [&]() -> Result<std::unique_ptr<Simulation>> {
            auto simulation = Simulation::create(scene, isa);
            if (!simulation || start) return simulation;
            if (Status done = warm_up(**simulation, plan_.fall_seconds, limits_); !done) return done.error();
            start = (*simulation)->snapshot();
            return simulation;
        });
    }

    Status all_threads(Simulation& simulation, const Snapshot& start) {
        const bool search_too = simulation.scene().pressure == plan_.solvers.front();
        for (const int threads : plan_.threads) {
            tell({simulation.particles().size(), simulation.walls().size(), simulation.scene().pressure, threads,
                  simulation.context().scene.isa});
            Result<StepCost> cost = measure_steps(simulation, start, threads, limits_);
            if (!cost) return cost.error();
            results_.steps.push_back(std::move(*cost));
            ++progress_.done;
            if (!search_too) continue;
            Result<SearchCost> search = measure_search(simulation, start, threads, limits_);
            if (!search) return search.error();
            results_.searches.push_back(std::move(*search));
        }
        return Done{};
    }

    void tell(const BenchCase& next) {
        progress_.of = next;
        if (watcher_) watcher_(progress_);
    }

    const BenchPlan& plan_;
    const BenchLimits limits_;
    const BenchWatcher& watcher_;
    const int most_threads_;
    BenchProgress progress_;
    BenchResults results_;
};

bool alike(const BenchCase& a, const BenchCase& b) {
    return a.solver == b.solver && a.threads == b.threads && a.isa == b.isa;
}

// What a particle would cost if the solves had the other's iterations.
double particle_seconds_with(const StepCost& cost, const StepCost& other) {
    const auto visits = [](double iterations) { return 1 + 2 * iterations; };
    const double fewer = visits(other.iterations) / visits(cost.iterations) - 1,
                 fewer_divergence = visits(other.divergence_iterations) / visits(cost.divergence_iterations) - 1;
    return cost.particle_seconds() *
           (1 + fewer * cost.share("pressure solve") + fewer_divergence * cost.share("divergence solve"));
}

} // namespace

Result<BenchResults> run_bench(const BenchPlan& plan, const std::atomic<bool>* stop, const BenchWatcher& watcher) {
    return Bench(plan, stop, watcher).run();
}

std::vector<Growth> growth_with_size(const std::vector<StepCost>& steps) {
    constexpr std::size_t least = 90'000; // the block of water is not always as large as asked to the last particle
    std::vector<Growth> all;
    for (const StepCost& small : steps) {
        const auto same = [&](const StepCost& other) {
            return alike(other.of, small.of) && other.of.particles >= least;
        };
        const StepCost* large = nullptr;
        bool smallest = small.of.particles >= least;
        for (const StepCost& other : steps) {
            if (!same(other)) continue;
            smallest &= other.of.particles >= small.of.particles;
            if (!large || other.of.particles > large->of.particles) large = &other;
        }
        if (!smallest || !large || large->of.particles < 2 * small.of.particles) continue;
        const double before = small.particle_seconds();
        all.push_back({large->of, small.of.particles, large->particle_seconds() / before - 1,
                       particle_seconds_with(*large, small) / before - 1});
    }
    return all;
}

double bytes_needed(std::size_t particles) {
    return 1200.0 * static_cast<double>(particles); // columns and lists, the snapshot, and those of the lone search
}

} // namespace loam
