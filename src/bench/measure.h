// What steps and searches cost. A repetition begins at the same state and does the same work to the last bit, so the
// median over repetitions leaves out what else the machine was doing.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/instruction_set.h"
#include "base/result.h"
#include "bench/plan.h"
#include "step/simulation.h"

namespace loam {

struct BenchCase { // what was measured
    std::size_t particles = 0, wall_particles = 0;
    std::string solver; // empty for a search
    int threads = 1;
    InstructionSet isa = InstructionSet::scalar;
};

struct PassCost {
    std::string name;
    double seconds = 0;                 // per step
    std::optional<double> interactions; // per step: entries of lists visited, or found; none where it is no pair pass
};

struct StepCost {
    BenchCase of;
    std::size_t steps = 0, repeats = 0;
    double seconds = 0;                               // per step; the median
    double spread = 0;                                // (slowest - fastest repetition) / median
    double neighbors = 0, wall_neighbors = 0;         // per particle, in the lists
    double searches = 0;                              // per step: explicit solvers keep lists over several
    double iterations = 0, divergence_iterations = 0; // per step
    double bytes = 0;                                 // of memory, per particle
    std::vector<PassCost> passes;                     // what no pass took is "rest"

    double particle_seconds() const { return seconds / static_cast<double>(of.particles); } // per particle and step
    double share(const std::string& pass) const;                                            // of the time
};

struct SearchCost {
    BenchCase of;
    std::size_t repeats = 0;
    double seconds = 0;   // the median
    double neighbors = 0; // per particle, walls included

    double particle_seconds() const { return seconds / static_cast<double>(of.particles); }
};

struct BenchLimits {
    int repeats = 3;
    double patience = 4;                     // seconds
    const std::atomic<bool>* stop = nullptr; // then Fault::stopped

    bool stopped() const { return stop && *stop; }
};

// Brings a dam break to where it is measured: some steps, or `fall_seconds` of simulated time.
Status warm_up(Simulation& simulation, double fall_seconds, const BenchLimits& limits);

// Steps from the snapshot on, with as many threads.
Result<StepCost> measure_steps(Simulation& simulation, const Snapshot& from, int threads, const BenchLimits& limits);

// Full searches, sort and lists, of the particles of the snapshot in the simulation's walls; without a skin.
Result<SearchCost> measure_search(const Simulation& simulation, const Snapshot& from, int threads,
                                  const BenchLimits& limits);

double median(std::vector<double> values);

} // namespace loam
