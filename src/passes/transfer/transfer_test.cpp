#include "passes/transfer/transfer.h"

#include <cmath>

#include <gtest/gtest.h>

#include "passes/transfer/test_particles.h"

namespace loam::test {
namespace {

// Two particles, one amount, no bounds.
struct Two {
    explicit Two(const Vec3d& apart, TestParticles::Settings settings = {.spacing = 0.1})
        : particles({{{0.05, 0.05, 0.05}, 1e-3}, {Vec3d{0.05, 0.05, 0.05} + apart, 5e-4}}, settings) {
        terms.amount = particles.pool.declare<double>({.name = "amount", .saved = true});
        transfer.declare(particles.pool, {.name = "amount", .reason = "exchange"});
        particles.step.dt = 0.01;
        for (double& amount : particles.pool[terms.amount]) amount = 1e6;
    }
    // By the order in which they were born.
    std::size_t index(std::uint32_t id) const { return particles.pool[particles.pool.id][0] == id ? 0 : 1; }
    void set(std::uint32_t id, const Float4& state) { particles.pool[transfer.state()][index(id)] = state; }
    double given() { // by the first
        transfer.move(particles.step, terms);
        const auto net = particles.pool[particles.pool.declare<double>({.name = "transfer_net"})];
        EXPECT_EQ(net[0], -net[1]);
        return net[index(0)];
    }

    TestParticles particles;
    Transfer transfer;
    Transfer::Terms terms;
};

class TransferOn : public OnInstructionSet {};

TEST_P(TransferOn, IsTheFormula) {
    const Vec3d apart{0.05, -0.08, 0.03};
    Two two(apart, box());
    two.set(0, {5, 2, 0.5f, 1}), two.set(1, {3, 6, 0.25f, 1});
    two.terms.drive = {4, 7, -2};
    const double drop = 5 - 3 + dot(two.terms.drive, apart), harmonic = 2 * 2.0 * 6 / (2 + 6);
    const double conductance =
        2 * 1e-3 * 5e-4 * harmonic * 0.5 * -kernel_slope(two.particles.step.scene.kernel, length(apart));
    EXPECT_GT(drop, 0);
    EXPECT_NEAR(two.given() / (0.01 * conductance * drop), 1, 1e-5);
    const TimeStepLimit limit = two.transfer.time_step(two.particles.step, two.terms.drive);
    EXPECT_NEAR(limit.seconds * conductance, 1, 1e-5);
    EXPECT_EQ(limit.reason, "exchange");
}

TEST_P(TransferOn, TakesTheMobilityOfTheGiver) {
    Two two({0.1, 0, 0}, box());
    two.set(0, {1, 1, 0, 1}), two.set(1, {0, 1, 1, 1});
    EXPECT_EQ(two.given(), 0);
    two.set(0, {1, 1, 1, 1}), two.set(1, {0, 1, 0, 1});
    EXPECT_GT(two.given(), 0);
    two.terms.drive = {-20, 0, 0}; // against the potential, and stronger
    EXPECT_EQ(two.given(), 0);
}

TEST_P(TransferOn, NothingPassesIntoWhatDoesNotConduct) {
    Two two({0.1, 0, 0}, box());
    two.set(0, {1, 1, 1, 1}), two.set(1, {0, 0, 1, 1});
    EXPECT_EQ(two.given(), 0);
    two.terms.implicit = true;
    EXPECT_EQ(two.given(), 0);
    EXPECT_EQ(two.transfer.time_step(two.particles.step, {}).reason, "");
}

TEST_P(TransferOn, IsEqualAndOppositeToTheLastBit) { // Two::given() looks
    std::mt19937 random(3);
    std::uniform_real_distribution<float> unit(0, 1);
    for (int k = 0; k < 300; ++k) {
        TestParticles::Settings settings = box();
        if (k % 2) settings.period = {0.5, 0.7, 0.45};
        Two two({0.2 * unit(random) - 0.3 * (k % 2), 0.2 * unit(random), 0.1 * unit(random)}, settings);
        two.set(0, {unit(random), unit(random), unit(random), 1e-3f * unit(random)});
        two.set(1, {k % 3 ? unit(random) : two.particles.pool[two.transfer.state()][two.index(0)].x, unit(random),
                    unit(random), 1e-3f * unit(random)});
        if (k % 3) two.terms.drive = {unit(random), unit(random), unit(random)};
        two.terms.implicit = k % 5 == 0;
        two.given();
    }
}

// Neither gives before the step, and both are moved by a third: no side of theirs is upwind.
TEST_P(TransferOn, ImplicitBetweenEqualPotentialsIsEqualAndOpposite) {
    TestParticles particles({{{0, 0, 0}, 1e-3}, {{0.12, 0, 0}, 1e-3}, {{0.25, 0, 0}, 1e-3}}, box());
    Pool& pool = particles.pool;
    Transfer transfer;
    transfer.declare(pool, {.name = "heat"});
    const Transfer::Terms terms{.amount = pool.declare<double>({.name = "heat", .saved = true}), .implicit = true};
    for (std::size_t i = 0; i < 3; ++i) {
        pool[terms.amount][i] = 1;
        pool[transfer.state()][i] = {i == 2 ? 1.0f : 0.0f, 1, 0.2f + 0.3f * static_cast<float>(i), 1e-3f};
    }
    ASSERT_EQ(pool[pool.id][0], 0u); // sorted along x
    particles.step.dt = 1;
    transfer.move(particles.step, terms);
    EXPECT_GT(pool[terms.amount][0], 1 + 1e-5);
    EXPECT_NEAR(particles.total([&](std::size_t i) { return pool[terms.amount][i]; }), 3, 1e-15);
}

// So little in a step that a velocity, rounded, would never change.
TEST_P(TransferOn, SlowSeepingSlowsTheFast) {
    Two two({0.1, 0, 0}, box());
    Pool& pool = two.particles.pool;
    two.transfer.declare(pool, {.name = "water", .mass = 1});
    two.set(0, {1, 1, 1, 1}), two.set(1, {0, 1, 1, 1});
    two.particles.step.dt *= 1e-8 / two.given();
    pool[pool.velocity][two.index(1)] = {1, 0, 0, 0};
    for (double& amount : pool[two.terms.amount]) amount = 1;
    for (int n = 0; n < 10'000; ++n) two.given();
    EXPECT_NEAR(pool[pool.velocity][two.index(1)].x, 1 - 1e-4, 1e-6);
    EXPECT_EQ(pool[pool.velocity][two.index(0)].x, 0);
}

TEST_P(TransferOn, WhoTakesNoPartKeepsItsMass) {
    Two two({0.1, 0, 0}, box());
    Pool& pool = two.particles.pool;
    two.transfer.declare(pool, {.name = "water", .mass = 1000});
    for (double& amount : pool[two.terms.amount]) amount = 1e-3;
    two.set(0, {1, 1, 1, 1}), two.set(1, {0, 0, 1, 1});
    pool[pool.mass][two.index(1)] = 2600;
    two.given();
    EXPECT_EQ(pool[pool.mass][two.index(0)], 1);
    EXPECT_EQ(pool[pool.mass][two.index(1)], 2600);
}

// A weight of water at rest: pressure grows downwards as its weight asks for.
TEST_P(TransferOn, WaterAtRestStaysAtRest) {
    TestParticles particles(uneven_tiles({6, 10, 0}, 0.1, 0.2, 5), ring());
    Pool& pool = particles.pool;
    Transfer transfer;
    transfer.declare(pool, {.name = "water", .mass = 1000});
    Transfer::Terms terms{.amount = pool.declare<double>({.name = "water", .saved = true}), .drive = {0, -9810, 0}};
    const auto most_moved = [&] {
        double most = 0;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            pool[terms.amount][i] = 1;
            pool[transfer.state()][i] = {static_cast<float>(9810 * (1 - pool[pool.position][i].y)), 1e-8f, 1, 1};
        }
        particles.step.dt = 1;
        transfer.move(particles.step, terms);
        for (const double amount : pool[terms.amount]) most = std::max(most, std::abs(amount - 1));
        return most;
    };
    const double balanced = most_moved();
    terms.drive = {};
    EXPECT_LT(balanced, 1e-5 * most_moved());
}

INSTANTIATE_TEST_SUITE_P(All, TransferOn, all_instruction_sets, name_of_test);

// Two amounts of one pool, filled one after the other and moved after that, do not disturb each other.
TEST(Transfer, AmountsLiveSideBySide) {
    const auto heat_after = [](bool with_water) {
        Two heat({0.1, 0, 0});
        Transfer water;
        Pool& pool = heat.particles.pool;
        Transfer::Terms water_terms{.amount = pool.declare<double>({.name = "water", .saved = true})};
        water.declare(pool, {.name = "water"});
        pool[water_terms.amount][0] = pool[water_terms.amount][1] = 1;
        heat.set(0, {2, 1, 1, 1}), heat.set(1, {1, 1, 1, 1});
        for (Float4& state : pool[water.state()]) state = {0, 3, 1, 1};
        if (with_water) water.move(heat.particles.step, water_terms);
        return heat.given();
    };
    EXPECT_NE(heat_after(false), 0);
    EXPECT_EQ(heat_after(true), heat_after(false));
}

} // namespace
} // namespace loam::test
