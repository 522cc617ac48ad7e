#include "passes/interpolate.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace loam {
namespace {

constexpr int across = 100;
constexpr double spacing = 1.0 / across;

double field(const Vec3d& p) { return p.x * p.x + p.y * p.y; }

// The unit square; particles off their places on a lattice by up to `jitter` spacings.
std::vector<Sample> square(double jitter) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> off(-jitter * spacing, jitter * spacing);
    std::vector<Sample> samples;
    for (int a = 0; a < across; ++a)
        for (int b = 0; b < across; ++b) {
            const Vec3d p{(a + 0.5) * spacing + off(random), (b + 0.5) * spacing + off(random), 0};
            samples.push_back({p, spacing * spacing, field(p)});
        }
    return samples;
}

// Root of the mean square, at every 37th particle.
double error(const std::vector<Sample>& samples, KernelSum how) {
    const Kernel kernel = make_kernel(KERNEL_CUBIC, 2 * spacing, 2);
    double squares = 0, count = 0;
    for (std::size_t i = 0; i < samples.size(); i += 37) {
        const Vec3d& at = samples[i].position;
        squares += std::pow(interpolate(kernel, samples, at, how) - field(at), 2);
        count += 1;
    }
    return std::sqrt(squares / count);
}

TEST(Interpolation, NormalizedIsTenTimesCloserOnALattice) {
    const auto samples = square(0);
    EXPECT_LT(10 * error(samples, KernelSum::normalized), error(samples, KernelSum::plain));
}

TEST(Interpolation, NormalizedIsTenTimesCloserOnJitteredParticles) {
    const auto samples = square(0.2);
    EXPECT_LT(10 * error(samples, KernelSum::normalized), error(samples, KernelSum::plain));
}

TEST(Interpolation, NormalizedIsExactForConstantsAtEdges) {
    auto samples = square(0.2);
    for (Sample& sample : samples) sample.value = 3;
    const Kernel kernel = make_kernel(KERNEL_CUBIC, 2 * spacing, 2);
    EXPECT_NEAR(interpolate(kernel, samples, {0, 0, 0}, KernelSum::normalized), 3, 1e-9);
    EXPECT_LT(interpolate(kernel, samples, {0, 0, 0}, KernelSum::plain), 1.5);
    EXPECT_EQ(interpolate(kernel, samples, {2, 2, 0}, KernelSum::normalized), 0);
}

} // namespace
} // namespace loam
