#include "bench/bench.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "bench/dam_break.h"

namespace loam {
namespace {

StepCost cost_of(std::size_t particles, const std::string& solver, double seconds) {
    StepCost cost;
    cost.of = {particles, 0, solver, 1, InstructionSet::scalar};
    cost.seconds = seconds;
    return cost;
}

TEST(Bench, BlocksHaveAsManyParticlesAsAskedAndAreNearCubes) {
    for (const std::size_t wanted : {1000u, 10'000u, 30'000u, 100'000u, 250'000u, 1'000'000u, 2'000'000u}) {
        const auto [x, y, z] = block_of(wanted);
        EXPECT_NEAR(static_cast<double>(x * y * z), static_cast<double>(wanted), 0.002 * static_cast<double>(wanted));
        EXPECT_LT(std::max({x, y, z}), 2 * std::min({x, y, z}));
    }
}

TEST(Bench, SceneHasTheBlockAndTheNeighborsOfAFluid) {
    const auto scene = dam_break_scene(5000, "dfsph", false);
    ASSERT_TRUE(scene) << scene.error().text();
    auto simulation = Simulation::create(*scene);
    ASSERT_TRUE(simulation) << simulation.error().text();
    const auto [x, y, z] = block_of(5000);
    EXPECT_EQ((*simulation)->particles().size(), x * y * z);
    EXPECT_GT((*simulation)->walls().size(), 1000u);
}

TEST(Bench, RepetitionsDoTheSameWorkAndTellItsCost) {
    const BenchPlan plan{.sizes = {1000},
                         .solvers = {"dfsph", "wcsph"},
                         .threads = {2},
                         .instruction_sets = {best_instruction_set(), InstructionSet::scalar},
                         .repeats = 2};
    std::vector<std::size_t> told;
    const auto results = run_bench(plan, nullptr, [&](const BenchProgress& now) { told.push_back(now.done); });
    ASSERT_TRUE(results) << results.error().text();
    EXPECT_TRUE(results->complete);
    ASSERT_EQ(results->steps.size(), 4u);
    EXPECT_EQ(results->searches.size(), 2u) << "once per instruction set and number of threads";
    EXPECT_EQ(told, (std::vector<std::size_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    std::map<std::string, double> named; // the largest share by solver: other programs may interrupt a case
    for (const StepCost& cost : results->steps) {
        EXPECT_EQ(cost.repeats, 2u);
        EXPECT_GT(cost.seconds, 0);
        double passes = 0; // but for the rest, which is what they leave
        for (const PassCost& pass : cost.passes)
            if (pass.name != "rest") passes += pass.seconds;
        EXPECT_LE(passes, cost.seconds) << "no time is counted twice";
        double& share = named[cost.of.solver];
        share = std::max(share, passes / cost.seconds);
        EXPECT_GT(cost.neighbors, 15);
        EXPECT_LT(cost.neighbors, 45);
    }
    for (const auto& [solver, share] : named)
        EXPECT_GT(share, 0.9) << "nothing large of " << solver << " is left unnamed";
    const StepCost &dfsph = results->steps[0], &wcsph = results->steps[2];
    EXPECT_EQ(dfsph.searches, 1);
    EXPECT_LT(wcsph.searches, 0.7) << "lists with a skin last for several steps";
    EXPECT_GT(wcsph.searches, 0) << "and whole lives of them are measured";
    EXPECT_GE(dfsph.iterations, 2);
    EXPECT_NEAR(dfsph.iterations, results->steps[1].iterations, 3) << "other instructions do the same steps";
    const auto solve = std::find_if(dfsph.passes.begin(), dfsph.passes.end(),
                                    [](const PassCost& pass) { return pass.name == "pressure solve"; });
    ASSERT_NE(solve, dfsph.passes.end());
    EXPECT_NEAR(*solve->interactions / static_cast<double>(dfsph.of.particles),
                dfsph.neighbors * (1 + 2 * dfsph.iterations), 1e-6);
}

TEST(Bench, StopsBetweenStepsAndKeepsWhatItHas) {
    const BenchPlan plan{
        .sizes = {1000}, .solvers = {"wcsph"}, .threads = {1, 2}, .instruction_sets = {InstructionSet::scalar}};
    std::atomic<bool> stop{false};
    const auto results = run_bench(plan, &stop, [&](const BenchProgress& now) { stop = now.done == 1; });
    ASSERT_TRUE(results);
    EXPECT_FALSE(results->complete);
    EXPECT_EQ(results->steps.size(), 1u);
}

TEST(Bench, GrowthIsFromAboutAHundredThousandToTheLargest) {
    const std::vector<StepCost> steps{cost_of(10'000, "a", 1), cost_of(100'000, "a", 10), cost_of(1'000'000, "a", 105),
                                      cost_of(2'000'000, "a", 230), cost_of(100'000, "b", 10)};
    const auto growths = growth_with_size(steps);
    ASSERT_EQ(growths.size(), 1u);
    EXPECT_EQ(growths[0].small, 100'000u);
    EXPECT_EQ(growths[0].of.particles, 2'000'000u);
    EXPECT_NEAR(growths[0].growth, 0.15, 1e-12);
}

TEST(Bench, GrowthAtEqualIterationsLeavesOutWhatIterationsCost) {
    StepCost small = cost_of(100'000, "dfsph", 10), large = cost_of(1'000'000, "dfsph", 100 * 1.9);
    small.iterations = 4, large.iterations = 8.5; // 9 and 18 visits
    small.passes = {{"pressure solve", 9, {}}, {"rest", 1, {}}};
    large.passes = {{"pressure solve", 180, {}}, {"rest", 10, {}}};
    const auto growths = growth_with_size({small, large});
    ASSERT_EQ(growths.size(), 1u);
    EXPECT_NEAR(growths[0].growth, 0.9, 1e-12);
    EXPECT_NEAR(growths[0].at_equal_iterations, 0, 1e-12);
}

TEST(Bench, FirstPressureHoldsTheWaterUpAtItsFloorOnly) {
    const double length = 1.2, height = 1, weight = 1000 * 9.81, h = 1e-3;
    for (const double t : {0.2, 0.5, 0.7}) {
        EXPECT_NEAR(first_pressure(0, t * height, length, height), 0, 1e-6 * weight);
        EXPECT_NEAR(first_pressure(t * length, height, length, height), 0, 1e-6 * weight);
    }
    const auto p = [&](double x, double y) { return first_pressure(x, y, length, height); };
    const double slope = (p(0.6, h) - p(0.6, -h)) / (2 * h);
    EXPECT_NEAR(slope, -weight, 0.05 * weight);
    const double laplacian = (p(0.5 + h, 0.4) + p(0.5 - h, 0.4) + p(0.5, 0.4 + h) + p(0.5, 0.4 - h) - 4 * p(0.5, 0.4));
    EXPECT_NEAR(laplacian / (h * h), 0, 0.01 * weight);
    EXPECT_LT(p(0.6, 0), weight * height);
}

TEST(Bench, MedianOfOddAndEvenNumbers) {
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(median({}), 0);
}

} // namespace
} // namespace loam
