#include "passes/transfer/transfer.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "passes/transfer/test_particles.h"

namespace loam::test {
namespace {

// An amount that means nothing, with all that an amount can have.
class MadeUp {
public:
    static constexpr double weight = 1000; // [kg] per amount

    MadeUp(TestParticles& particles, unsigned seed) : particles_(particles), random_(seed) {
        Pool& pool = particles.pool;
        terms = {.amount = pool.declare<double>({.name = "made_up", .saved = true}),
                 .capacity = pool.declare<float>({.name = "made_up_capacity", .saved = true}),
                 .dry_mass = pool.declare<float>({.name = "made_up_dry", .saved = true}),
                 .drive = {0.3, -0.2, 0.1}};
        transfer.declare(pool, {.name = "made_up", .reason = "exchange", .mass = weight});
        for (std::size_t i = 0; i < pool.size(); ++i) {
            const float volume = pool[pool.volume][i];
            pool[terms.capacity][i] = volume * between(0.2f, 0.9f);
            pool[terms.amount][i] = pool[terms.capacity][i] * between(0, 1);
            pool[terms.dry_mass][i] = volume * between(0, 2000);
            pool[pool.mass][i] = static_cast<float>(mass(i));
            pool[pool.velocity][i].w = 7;
        }
        kick();
        vary();
    }

    void vary() { // some do not conduct, some are not free to give
        for (Float4& state : particles_.pool[transfer.state()])
            state = {between(-1, 1), std::max(0.0f, between(-0.3f, 1)), std::max(0.0f, between(-0.3f, 1)),
                     between(0.1f, 2)};
    }
    void move(double dt) {
        particles_.step.dt = dt;
        transfer.move(particles_.step, terms);
    }
    double amount(std::size_t i) const { return particles_.pool[terms.amount][i]; }
    double mass(std::size_t i) const { return particles_.pool[terms.dry_mass][i] + weight * amount(i); }
    double sum() const {
        return particles_.total([&](std::size_t i) { return amount(i); });
    }
    Vec3d momentum() const { // with what masses and velocities are rounded by
        Pool& pool = particles_.pool;
        const auto unrounded = pool[pool.declare<Float4>({.name = "made_up_velocity_unrounded"})];
        Vec3d all;
        for (std::size_t i = 0; i < pool.size(); ++i)
            all += mass(i) * (pool[pool.velocity][i].xyz_double() + unrounded[i].xyz_double());
        return all;
    }
    // Velocities would soon be all the same; returns the momentum that this gives.
    Vec3d kick() {
        const Vec3d before = momentum();
        for (Float4& v : particles_.pool[particles_.pool.velocity])
            v = {between(-1, 3), between(-1, 1), between(-1, 1), v.w};
        return momentum() - before;
    }
    bool within_bounds() const {
        for (std::size_t i = 0; i < particles_.size(); ++i)
            if (!(amount(i) >= 0 && amount(i) <= particles_.pool[terms.capacity][i])) return false;
        return true;
    }

    Transfer transfer;
    Transfer::Terms terms;

private:
    float between(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

    TestParticles& particles_;
    std::mt19937 random_;
};

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

class TransferOn : public testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override {
        if (!is_available(GetParam())) GTEST_SKIP() << "not on this machine";
    }
    TestParticles::Settings box() const { return {.spacing = 0.1, .isa = GetParam()}; }
    TestParticles::Settings ring() const {
        return {.spacing = 0.1, .dimensions = 2, .period = {0.6, 0, 0}, .isa = GetParam()};
    }
};

TEST_P(TransferOn, IsTheFormula) {
    const Vec3d apart{0.05, -0.08, 0.03};
    Two two(apart, box());
    two.set(0, {5, 2, 0.5f, 1}), two.set(1, {3, 6, 0.25f, 1});
    two.terms.drive = {4, 7, -2};
    const double drop = 5 - 3 + dot(two.terms.drive, apart), harmonic = 2 * 2.0 * 6 / (2 + 6);
    const double conductance =
        2 * 1e-3 * 5e-4 * harmonic * 0.5 * -kernel_slope(two.particles.step.kernel, length(apart));
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

TEST_P(TransferOn, KeepsSumBoundsAndMomentum) {
    TestParticles particles(uneven_tiles({6, 4, 0}, 0.1, 0.2, 5), ring());
    MadeUp amount(particles, 6);
    const double limit = amount.transfer.time_step(particles.step, amount.terms.drive).seconds;
    const double sum = amount.sum();
    Vec3d momentum = amount.momentum();
    const int steps = GetParam() == best_instruction_set() ? 100'000 : 5'000;
    for (int n = 0; n < steps; ++n) {
        amount.vary();
        if (n % 20 == 0) momentum += amount.kick();
        amount.move(limit * (n % 7 == 0 ? 30 : 0.5)); // most of the time some are asked for more than they hold
        ASSERT_TRUE(amount.within_bounds()) << "step " << n;
    }
    EXPECT_NEAR(amount.sum() / sum, 1, 1e-12);
    EXPECT_LT(length(amount.momentum() - momentum), 1e-6 * length(momentum));
    EXPECT_EQ(particles.pool[particles.pool.velocity][0].w, 7);
}

TEST_P(TransferOn, ImplicitKeepsSumBoundsAndMomentum) {
    TestParticles particles(uneven_tiles({6, 4, 0}, 0.1, 0.2, 5), ring());
    MadeUp amount(particles, 6);
    amount.terms.implicit = true;
    const double limit = amount.transfer.time_step(particles.step, amount.terms.drive).seconds;
    const double sum = amount.sum();
    const Vec3d momentum = amount.momentum();
    for (int n = 0; n < 1'000; ++n) {
        amount.vary();
        amount.move(limit * (n % 7 == 0 ? 300 : 10));
        ASSERT_GT(amount.transfer.iterations(), 0);
        ASSERT_TRUE(amount.within_bounds()) << "step " << n;
    }
    EXPECT_NEAR(amount.sum() / sum, 1, 1e-12);
    EXPECT_LT(length(amount.momentum() - momentum), 1e-6 * length(momentum));
}

// Asked for far more than there is, again and again: what is left gets as small as floats can tell, and stays above 0.
TEST_P(TransferOn, DrainsAndFillsWithinBounds) {
    TestParticles particles(uneven_tiles({3, 3, 2}, 0.1, 0.2, 5), box());
    MadeUp amount(particles, 6);
    for (int round = 0; round < 2; ++round) {
        for (int n = 0; n < 50; ++n) {
            amount.move(n < 25 ? 1e3 : 1e-3);
            ASSERT_TRUE(amount.within_bounds()) << "step " << n;
        }
        amount.vary();
    }
}

TEST_P(TransferOn, OneVelocityStaysOneVelocity) {
    TestParticles particles(uneven_tiles({3, 3, 2}, 0.1, 0.2, 5), box());
    MadeUp amount(particles, 6);
    const Float4 common{0.1f, -3.3f, 17.7f, 0};
    for (Float4& velocity : particles.pool[particles.pool.velocity]) velocity = common;
    const double before = amount.amount(0);
    for (int n = 0; n < 20; ++n) amount.move(0.01);
    EXPECT_NE(amount.amount(0), before);
    for (const Float4& velocity : particles.pool[particles.pool.velocity]) EXPECT_EQ(velocity, common);
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

TEST_P(TransferOn, BearsNobodyAndOne) {
    TestParticles nobody({}, box()), one({{{0, 0, 0}, 1e-3}}, box());
    MadeUp none(nobody, 1), lone(one, 2);
    for (MadeUp* amount : {&none, &lone}) {
        const double before = amount->sum();
        const Vec3d momentum = amount->momentum();
        amount->move(1);
        amount->terms.implicit = true;
        amount->move(1);
        EXPECT_EQ(amount->sum(), before);
        EXPECT_EQ(amount->momentum(), momentum);
    }
    EXPECT_EQ(none.transfer.time_step(nobody.step, {}).reason, "");
    EXPECT_EQ(lone.transfer.time_step(one.step, {}).reason, "");
}

// Also with a kernel that has no bound at its center.
TEST_P(TransferOn, BearsParticlesInOnePlace) {
    for (const KernelKind kernel : {KERNEL_CUBIC, KERNEL_WENDLAND, KERNEL_POLY6, KERNEL_SPIKY}) {
        TestParticles::Settings settings = box();
        settings.kernel = kernel;
        std::vector<Tile> tiles(12, {{0.05, 0.05, 0.05}, 1e-3});
        tiles.push_back({{0.1, 0.05, 0.05}, 1e-3});
        TestParticles particles(tiles, settings);
        MadeUp amount(particles, 8);
        const double sum = amount.sum();
        EXPECT_GT(amount.transfer.time_step(particles.step, {}).seconds, 1e-6);
        for (const bool implicit : {false, true}) {
            amount.terms.implicit = implicit;
            amount.move(1e-3);
            EXPECT_TRUE(amount.within_bounds());
            EXPECT_NEAR(amount.sum() / sum, 1, 1e-14);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, TransferOn,
                         testing::Values(InstructionSet::scalar, InstructionSet::avx2, InstructionSet::avx512),
                         [](const auto& one) { return std::string(name_of(one.param)); });

struct Outcome {
    std::vector<double> amounts;
    std::vector<Float4> velocities;
    double time_step = 0;
};

Outcome some_steps(InstructionSet isa, int threads) {
    return with_threads(threads, [&] {
        TestParticles particles(uneven_tiles({40, 30, 0}, 0.1, 0.2, 5),
                                {.spacing = 0.1, .dimensions = 2, .period = {4, 0, 0}, .isa = isa});
        MadeUp amount(particles, 6);
        Outcome outcome;
        outcome.time_step = amount.transfer.time_step(particles.step, amount.terms.drive).seconds;
        for (int n = 0; n < 6; ++n) {
            amount.terms.implicit = n % 2;
            amount.move(5e-3);
        }
        const Pool& pool = particles.pool;
        for (std::size_t i = 0; i < pool.size(); ++i) {
            outcome.amounts.push_back(amount.amount(i));
            outcome.velocities.push_back(pool[pool.velocity][i]);
        }
        return outcome;
    });
}

void expect_same_bits(const Outcome& a, const Outcome& b) {
    EXPECT_EQ(a.amounts, b.amounts);
    EXPECT_EQ(a.velocities, b.velocities);
    EXPECT_EQ(a.time_step, b.time_step);
}

TEST(Transfer, IsTheSameForAnyNumberOfThreads) {
    const Outcome one = some_steps(best_instruction_set(), 1);
    EXPECT_GT(one.amounts.size(), 3 * block_size);
    for (const int threads : {2, 5}) expect_same_bits(some_steps(best_instruction_set(), threads), one);
}

TEST(Transfer, IsTheSameOnAllInstructionSets) {
    const Outcome scalar = some_steps(InstructionSet::scalar, 2);
    for (const InstructionSet isa : {InstructionSet::avx2, InstructionSet::avx512}) {
        if (!is_available(isa)) GTEST_SKIP() << "not on this machine";
        const Outcome lanes = some_steps(isa, 2);
        ASSERT_EQ(lanes.amounts.size(), scalar.amounts.size());
        for (std::size_t i = 0; i < lanes.amounts.size(); ++i) {
            EXPECT_NEAR(lanes.amounts[i], scalar.amounts[i], 1e-5 * 0.01); // of a cell
            EXPECT_LT(length(lanes.velocities[i].xyz_double() - scalar.velocities[i].xyz_double()), 1e-4);
        }
        EXPECT_NEAR(lanes.time_step / scalar.time_step, 1, 1e-5);
        if (isa == InstructionSet::avx512) expect_same_bits(lanes, some_steps(InstructionSet::avx2, 2));
    }
}

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
