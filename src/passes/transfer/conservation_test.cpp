// What holds whatever a law says: the sum, the bounds, momentum, the same bits.
#include <cmath>

#include <gtest/gtest.h>

#include "base/threads.h"
#include "passes/transfer/test_particles.h"
#include "passes/transfer/transfer.h"

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

class ConservationOn : public OnInstructionSet {};

TEST_P(ConservationOn, KeepsSumBoundsAndMomentum) {
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
    const Pool& pool = particles.pool;
    for (std::size_t i = 0; i < pool.size(); ++i) {
        EXPECT_EQ(pool[pool.mass][i], static_cast<float>(amount.mass(i)));
        EXPECT_EQ(pool[pool.velocity][i].w, 7);
    }
}

TEST_P(ConservationOn, ImplicitKeepsSumBoundsAndMomentum) {
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
TEST_P(ConservationOn, DrainsAndFillsWithinBounds) {
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

TEST_P(ConservationOn, OneVelocityStaysOneVelocity) {
    TestParticles particles(uneven_tiles({3, 3, 2}, 0.1, 0.2, 5), box());
    MadeUp amount(particles, 6);
    const Float4 common{0.1f, -3.3f, 17.7f, 0};
    for (Float4& velocity : particles.pool[particles.pool.velocity]) velocity = common;
    const double before = amount.amount(0);
    for (int n = 0; n < 20; ++n) amount.move(0.01);
    EXPECT_NE(amount.amount(0), before);
    for (const Float4& velocity : particles.pool[particles.pool.velocity]) EXPECT_EQ(velocity, common);
}

TEST_P(ConservationOn, BearsNobodyAndOne) {
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
TEST_P(ConservationOn, BearsParticlesInOnePlace) {
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

INSTANTIATE_TEST_SUITE_P(All, ConservationOn, all_instruction_sets, name_of_test);

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

} // namespace
} // namespace loam::test
