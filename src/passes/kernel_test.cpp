#include "passes/kernel.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace loam {
namespace {

class KernelCase : public testing::TestWithParam<std::tuple<int, int>> {
protected:
    const double support = 0.37;
    const Kernel kernel =
        make_kernel(static_cast<KernelKind>(std::get<0>(GetParam())), support, std::get<1>(GetParam()));
};

TEST_P(KernelCase, IntegratesToOne) {
    const int n = 20000;
    double integral = 0;
    for (int k = 0; k < n; ++k) {
        const double r = (k + 0.5) * support / n;
        const double shell = kernel.dimensions == 2 ? 2 * std::numbers::pi * r : 4 * std::numbers::pi * r * r;
        integral += kernel_value(kernel, r) * shell * support / n;
    }
    EXPECT_NEAR(integral, 1, 1e-4);
}

TEST_P(KernelCase, SlopeAndLaplacianMatchFiniteDifferences) {
    const double scale = kernel_value(kernel, 0.3 * support);
    for (double q = 0.1; q < 1.2; q += 0.0771) {
        const double r = q * support, e = 1e-4 * support;
        const double before = kernel_value(kernel, r - e), here = kernel_value(kernel, r),
                     after = kernel_value(kernel, r + e);
        const double first = (after - before) / (2 * e), second = (after - 2 * here + before) / (e * e);
        EXPECT_NEAR(kernel_slope(kernel, r) * r * support, first * support, 1e-4 * scale) << q;
        const double laplacian = second + (kernel.dimensions - 1) * first / r;
        EXPECT_NEAR(kernel_laplacian(kernel, r) * support * support, laplacian * support * support, 2e-2 * scale) << q;
    }
}

TEST_P(KernelCase, VanishesBeyondItsSupport) {
    EXPECT_EQ(kernel_value(kernel, 1.0001 * support), 0);
    EXPECT_EQ(kernel_slope(kernel, 1.5 * support), 0);
}

// One spacing above a flat layer of wall particles: as dense as with the half lattice in its place, and twice as steep.
TEST_P(KernelCase, OfWallsStandsForFluid) {
    const double spacing = 0.5 * support;
    const WallKernel wall = fit_to_walls(kernel, spacing);
    const auto layer = [&](double height, int layers, const auto& weight) {
        double sum = 0;
        const int across = kernel.dimensions == 3 ? 4 : 0;
        for (int d = 0; d < layers; ++d)
            for (int a = -4; a <= 4; ++a)
                for (int b = -across; b <= across; ++b) {
                    const double z = height + d * spacing;
                    sum += weight(z) * kernel_value(kernel, std::hypot(z, a * spacing, b * spacing));
                }
        return sum;
    };
    const auto of_wall = [&](double z) {
        const double t = (wall.support - z) * wall.inverse_span;
        return t * t * t * (wall.full + wall.extra * t);
    };
    const auto of_fluid = [](double) { return 1.0; };
    const double e = 1e-4 * spacing, fluid = layer(spacing, 4, of_fluid);
    const auto slope = [&](int layers, const auto& weight) {
        return (layer(spacing + e, layers, weight) - layer(spacing - e, layers, weight)) / (2 * e);
    };
    EXPECT_NEAR(layer(spacing, 1, of_wall), fluid, 1e-4 * fluid);
    EXPECT_NEAR(slope(1, of_wall), 2 * slope(4, of_fluid), 1e-3 * fluid / spacing);
}

INSTANTIATE_TEST_SUITE_P(All, KernelCase, testing::Combine(testing::Range(0, 5), testing::Values(2, 3)),
                         [](const auto& one) {
                             return kernel_names()[static_cast<std::size_t>(std::get<0>(one.param))] +
                                    std::to_string(std::get<1>(one.param)) + "D";
                         });

} // namespace
} // namespace loam
