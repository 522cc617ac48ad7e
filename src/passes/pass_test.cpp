#include "passes/pass.h"

#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "passes/transfer/test_particles.h"
#include "run/load.h"
#include "step/simulation.h"

namespace loam {
namespace {

using Names = std::vector<std::string>;

struct DoubleArgs {
    const float* mass;
    float* density;
};
void write_double(const DoubleArgs& a, Range range) {
    for (std::size_t i = range.begin; i != range.end; ++i) a.density[i] = 2 * a.mass[i];
}
constexpr Dispatch<void(const DoubleArgs&, Range)> doubled{&write_double, &write_double, &write_double};

struct StartArgs {
    const float* mass;
};
Names start_of(const StartArgs&, Range range) { return {std::to_string(range.begin)}; }
constexpr Dispatch<Names(const StartArgs&, Range)> starts{&start_of, &start_of, &start_of};

// Some thousands of particles, so that there are several blocks.
struct Passes : testing::Test {
    test::TestParticles particles{test::uneven_tiles({12, 12, 12}, 0.1, 0.1, 1), {.spacing = 0.1}};
    Pool& pool = particles.pool;
    StepContext& step = particles.step;

    void SetUp() override {
        ASSERT_GT(pool.size(), 2 * block_size);
        for (std::size_t i = 0; i < pool.size(); ++i) pool[pool.mass][i] = static_cast<float>(i);
    }
};

TEST_F(Passes, RunOnAllParticlesAndAreDescribed) {
    Pass pass(step, "double");
    pass.run(doubled, {.mass = pass.reads(pool.mass), .density = pass.writes(pool.density)});
    for (std::size_t i = 0; i < pool.size(); ++i) ASSERT_EQ(pool[pool.density][i], 2 * static_cast<float>(i));
    ASSERT_TRUE(step.passes.contains("double"));
    const PassDescription& description = step.passes.at("double");
    EXPECT_EQ(description.reads, Names{"mass"});
    EXPECT_EQ(description.reads_of_walls, Names{});
    EXPECT_EQ(description.writes, Names{"density"});
}

TEST_F(Passes, RefuseToWriteWhatTheyReadOfNeighbors) {
    Pass pass(step, "race");
    const DoubleArgs args{.mass = pass.reads(pool.density), .density = pass.writes(pool.density)};
    try {
        pass.run(doubled, args);
        FAIL() << "it ran";
    } catch (const std::logic_error& error) {
        EXPECT_NE(std::string(error.what()).find("\"race\""), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("\"density\""), std::string::npos) << error.what();
    }
    EXPECT_EQ(step.passes.count("race"), 0u);
    EXPECT_EQ(pool[pool.density][1], 0); // nothing has run
}

TEST_F(Passes, HandOutPairsWithThePlacesThatTheyName) {
    const Column<Float4> other = pool.declare<Float4>({.name = "other_place"});
    Pass pass(step, "pairs");
    const PairView now = pass.pairs(), then = pass.pairs(pool.place, other), walls = pass.wall_pairs();
    EXPECT_EQ(now.query_place, pool[pool.place].data());
    EXPECT_EQ(now.target_place, pool[pool.place].data());
    EXPECT_EQ(then.query_place, pool[pool.place].data());
    EXPECT_EQ(then.target_place, pool[other].data());
    EXPECT_EQ(walls.target_place, step.walls[step.walls.place].data());
    pass.run(doubled, {.mass = pass.reads(pool.mass), .density = pass.writes(pool.density)});
    EXPECT_EQ(step.passes.at("pairs").reads, (Names{"place", "other_place", "mass"})); // each once
    EXPECT_EQ(step.passes.at("pairs").reads_of_walls, Names{"place"});
}

TEST_F(Passes, ReduceInTheOrderOfParticles) {
    Pass pass(step, "starts");
    const auto append = [](Names all, const Names& some) {
        all.insert(all.end(), some.begin(), some.end());
        return all;
    };
    Names expected{"first"};
    for (std::size_t begin = 0; begin < pool.size(); begin += block_size) expected.push_back(std::to_string(begin));
    EXPECT_EQ(pass.reduce(starts, {.mass = pass.reads(pool.mass)}, append, {"first"}), expected);
}

TEST_F(Passes, OfSlotsVisitEachOfThemOnce) {
    std::vector<float> from(1000), to(1000);
    for (std::size_t s = 0; s < from.size(); ++s) from[s] = static_cast<float>(s);
    run_on_slots(InstructionSet::scalar, doubled, {.mass = from.data(), .density = to.data()}, from.size(), 64);
    for (std::size_t s = 0; s < to.size(); ++s) ASSERT_EQ(to[s], 2 * from[s]);
    EXPECT_TRUE(step.passes.empty()); // they are not of the pool
}

// What a fluid in a tank runs says what it reads and writes.
class PassesOfAScene : public testing::Test {
protected:
    void SetUp() override {
        const auto scene = read_scene(R"({"dimensions": 2, "particle_radius": 0.05, "behaviors": {"gravity": {}},
            "solver": {"pressure": "dfsph"}, "bodies": {
            "water": {"shape": {"box": {"min": [0, 0], "max": [1, 1]}},
                      "behaviors": {"fluid": {}, "viscosity": {"viscosity": 10}, "surface_tension": {}}},
            "tank": {"shape": {"box": {"min": [0, 0], "max": [2, 2]}, "invert": true}, "boundary": {"slip": "friction",
                     "motion": {"velocity": [0.1, 0]}}}}})",
                                      "test", known_registries());
        ASSERT_TRUE(scene) << scene.error().text();
        auto made = Simulation::create(*scene);
        ASSERT_TRUE(made) << made.error().text();
        simulation_ = std::move(*made);
        for (int k = 0; k < 3; ++k) ASSERT_TRUE(simulation_->step(1));
    }

    using Set = std::set<std::string>;
    void expect(const std::string& name, const Set& reads, const Set& of_walls, const Set& writes) const {
        const auto& passes = simulation_->context().passes;
        ASSERT_TRUE(passes.contains(name)) << name;
        const PassDescription& pass = passes.at(name);
        EXPECT_EQ(Set(pass.reads.begin(), pass.reads.end()), reads) << name;
        EXPECT_EQ(Set(pass.reads_of_walls.begin(), pass.reads_of_walls.end()), of_walls) << name;
        EXPECT_EQ(Set(pass.writes.begin(), pass.writes.end()), writes) << name;
    }

    std::unique_ptr<Simulation> simulation_;
};

TEST_F(PassesOfAScene, AreDescribed) {
    expect("density and gradient", {"place"}, {"place", "normal"}, {"density", "kernel_gradient"});
    expect("kept push", {"kernel_gradient", "kappa", "weighted_pressure", "volume"}, {}, {"acceleration"});
    expect("divergence", {"place", "kernel_gradient", "volume", "velocity"}, {"place", "normal", "velocity"},
           {"pressure_source"});
    expect("viscosity product", {"place", "volume", "viscous_block_1", "viscous_block_2", "viscous_direction"}, {},
           {"viscous_product"});
    expect("surface normals", {"place", "body", "density", "mass"}, {"place"}, {"surface_normal"});
    expect("ripple damping", {"place", "body", "density", "mass", "velocity"}, {}, {"acceleration"});
    expect("wall friction", {"place", "body", "volume", "mass", "acting_pressure"}, {"place", "normal", "velocity"},
           {"velocity"});
}

} // namespace
} // namespace loam
