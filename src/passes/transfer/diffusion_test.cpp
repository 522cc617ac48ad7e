// Exchanges against profiles that are known: a step that spreads (M3 and H1 of docs/validation.md), on uneven
// particles.
#include <cmath>

#include <gtest/gtest.h>

#include "passes/transfer/test_particles.h"
#include "passes/transfer/transfer.h"

namespace loam::test {
namespace {

constexpr double spacing = 0.02, half = 0.8, height = 0.2;
constexpr double spread = 0.3; // 2 sqrt(D t) at the end: far from the ends at +-half

// Concentration 1 for x < 0, 0 beyond it, and a conductivity for each half.
class Slab {
public:
    Slab(double left, double right)
        : particles_(uneven_tiles({2 * half / spacing, height / spacing, 0}, spacing, 0.2, 11),
                     {.spacing = spacing, .dimensions = 2, .period = {0, height, 0}}),
          left_(left), right_(right) {
        Pool& pool = particles_.pool;
        terms_.amount = pool.declare<double>({.name = "solute", .saved = true});
        transfer_.declare(pool, {.name = "solute", .reason = "diffusion"});
        for (std::size_t i = 0; i < pool.size(); ++i) pool[terms_.amount][i] = x(i) < 0 ? volume(i) : 0;
        fill();
        total_ = total();
    }

    double limit() { return transfer_.time_step(particles_.step, {}).seconds; }

    void run(double time, double dt, bool implicit) {
        terms_.implicit = implicit;
        const int steps = static_cast<int>(std::ceil(time / dt));
        particles_.step.dt = time / steps;
        for (int n = 0; n < steps; ++n) {
            fill();
            transfer_.move(particles_.step, terms_);
            for (std::size_t i = 0; i < particles_.size(); ++i)
                lowest_ = std::min(lowest_, concentration(i)), highest_ = std::max(highest_, concentration(i));
        }
    }

    // Root of the mean square over volume, within one spread of the step.
    template <class Profile> double error(const Profile& profile) const {
        double squares = 0, all = 0;
        for (std::size_t i = 0; i < particles_.size(); ++i) {
            if (std::abs(x(i)) > spread) continue;
            squares += volume(i) * std::pow(concentration(i) - profile(x(i)), 2);
            all += volume(i);
        }
        return std::sqrt(squares / all);
    }
    double drift() const { return total() / total_ - 1; }
    double lowest() const { return lowest_; }
    double highest() const { return highest_; }

private:
    void fill() {
        Pool& pool = particles_.pool;
        for (std::size_t i = 0; i < pool.size(); ++i)
            pool[transfer_.state()][i] = {static_cast<float>(concentration(i)),
                                          static_cast<float>(x(i) < 0 ? left_ : right_), 1,
                                          static_cast<float>(volume(i))};
    }
    double x(std::size_t i) const { return particles_.pool[particles_.pool.position][i].x - half; }
    double volume(std::size_t i) const { return particles_.pool[particles_.pool.volume][i]; }
    double concentration(std::size_t i) const { return particles_.pool[terms_.amount][i] / volume(i); }
    double total() const {
        return particles_.total([&](std::size_t i) { return particles_.pool[terms_.amount][i]; });
    }

    TestParticles particles_;
    double left_, right_, total_ = 0, lowest_ = 1, highest_ = 0;
    Transfer transfer_;
    Transfer::Terms terms_;
};

double step_spread(double x) { return 0.5 * std::erfc(x / spread); }

constexpr double end = 0.25 * spread * spread; // for D = 1

TEST(Diffusion, AStepSpreadsAsItShould) {
    Slab slab(1, 1);
    slab.run(end, slab.limit(), false);
    EXPECT_LT(slab.error(step_spread), 0.005);
    EXPECT_LT(std::abs(slab.drift()), 1e-13);
    EXPECT_GE(slab.lowest(), 0); // no new extremes
    EXPECT_LE(slab.highest(), 1 + 1e-6);
}

TEST(Diffusion, AStepSpreadsAsItShouldInTenTimesLongerSteps) {
    Slab slab(1, 1);
    slab.run(end, 10 * slab.limit(), true);
    EXPECT_LT(slab.error(step_spread), 0.01);
    EXPECT_LT(std::abs(slab.drift()), 1e-13);
    EXPECT_GE(slab.lowest(), 0);
    EXPECT_LE(slab.highest(), 1 + 1e-5);
}

// Explicit steps as long would not do.
TEST(Diffusion, ExplicitStepsBeyondTheLimitMakeNewExtremes) {
    Slab slab(1, 1);
    slab.run(end, 3 * slab.limit(), false);
    EXPECT_GT(slab.highest(), 1.1);
}

// Two materials that meet: the border takes the value between the two that their sqrt(k) give, and stays there.
TEST(Diffusion, AStepAcrossABorderOfMaterials) {
    const double right = 0.1, root = std::sqrt(right), border = 1 / (1 + root);
    const auto profile = [&](double x) {
        return x < 0 ? border + (1 - border) * std::erf(-x / spread) : border * std::erfc(x / (root * spread));
    };
    Slab slab(1, right);
    slab.run(end, slab.limit(), false);
    EXPECT_LT(slab.error(profile), 0.01);
    EXPECT_LT(std::abs(slab.drift()), 1e-13);
}

} // namespace
} // namespace loam::test
