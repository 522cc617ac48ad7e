#include <gtest/gtest.h>

#include <cmath>

#include "behaviors/surface_tension/calibrate.h"

namespace loam {
namespace {

// The color rises from 1/2 at a flat surface to 1 inside, so C is 2 where layers are fine against the support.
TEST(Calibrate, AreaScaleTendsToTwo) {
    for (int dimensions : {2, 3})
        EXPECT_NEAR(area_scale(make_kernel(KERNEL_CUBIC, 12, dimensions), 1), 2, 0.15) << dimensions;
}

// Against a plain sum over pairs across a cut.
TEST(Calibrate, CohesionIsTheWorkOfCutting) {
    const Kernel kernel = make_kernel(KERNEL_CUBIC, 1, 2);
    const double stiffness = cohesion_scale(kernel), step = 0.01;
    // phi(r) = -K int_r^1 s W(s) ds per volume squared; energy across a cut per length: 1/2 sum |d_y| phi, two
    // surfaces.
    const auto potential = [&](double r) {
        double sum = 0;
        for (double s = r + 0.5 * step; s < 1; s += step) sum -= step * s * kernel_value(kernel, s);
        return stiffness * sum;
    };
    double work = 0;
    for (double x = -1; x <= 1; x += 0.05)
        for (double y = -1; y <= 1; y += 0.05)
            if (const double r = std::hypot(x, y); r < 1) work -= 0.05 * 0.05 * 0.5 * std::abs(y) * potential(r);
    EXPECT_NEAR(work / 2, 1, 0.03);
}

} // namespace
} // namespace loam
