// The parts that are measured. A part is a name, how to get ready, and the work that is timed.
#pragma once

#include <chrono>
#include <string>

#include <benchmark/benchmark.h>

#include "fluid.h"

namespace loam {

// What is registered: name/instruction set/particles, or name/particles for what is the same for all.
inline std::string part_name(const std::string& part, std::size_t particles) {
    return part + "/" + std::to_string(particles);
}
inline std::string part_name(const std::string& part, InstructionSet isa, std::size_t particles) {
    return part + "/" + std::string(name_of(isa)) + "/" + std::to_string(particles);
}

// Times `work` alone, and tells what a particle and a visit to a pair cost. pairs = 0: none are visited.
template <class Prepare, class Work>
void measure(benchmark::State& state, double particles, double pairs, const Prepare& prepare, const Work& work) {
    double total = 0;
    for (auto unused : state) {
        static_cast<void>(unused);
        prepare();
        const auto start = std::chrono::steady_clock::now();
        work();
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        state.SetIterationTime(seconds);
        total += seconds;
    }
    const double each = 1e9 * total / static_cast<double>(state.iterations());
    state.counters["ns/particle"] = each / particles;
    if (pairs > 0) state.counters["ns/pair"] = each / pairs;
}
template <class Work> void measure(benchmark::State& state, double particles, double pairs, const Work& work) {
    measure(
        state, particles, pairs, [] {}, work);
}

template <class Body> void add_part(const std::string& name, const Body& body) {
    benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

// One call per instruction set that this machine has.
template <class Use> void each_instruction_set(const Use& use) {
    for (const InstructionSet isa : {InstructionSet::avx512, InstructionSet::avx2, InstructionSet::scalar})
        if (is_available(isa)) use(isa);
}

void add_neighbor_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids);
void add_pressure_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids);
void add_viscosity_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids);
void add_transfer_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids);
void add_frame_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids);
void add_spring_parts(std::size_t springs);
void add_elastic_parts(std::size_t particles);
void add_grain_parts(std::size_t particles);
void add_surface_parts(std::size_t particles, const std::shared_ptr<Fluids>& fluids);
void add_picture_parts(std::size_t grains);

} // namespace loam
