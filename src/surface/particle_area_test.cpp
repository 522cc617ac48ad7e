#include "surface/particle_area.h"

#include <gtest/gtest.h>

#include "surface/test_fields.h"

namespace loam {
namespace {

constexpr double pi = 3.14159265358979;

TEST(ParticleArea, OfABox) {
    const SurfaceParticles box = test::lattice(0.1, {{0, 0, 0}, {2, 2, 2}}, 0, [](const Vec3d&) { return true; });
    const Cloud cloud(box, InstructionSet::scalar);
    EXPECT_NEAR(particle_area(cloud) / 24, 1, 0.04); // edges count a little less than their faces
}

TEST(ParticleArea, OfABall) {
    const auto share = [](double jitter) {
        const SurfaceParticles ball = test::ball(1, 0.1, jitter);
        return particle_area(Cloud(ball, InstructionSet::scalar)) / (4 * pi);
    };
    EXPECT_NEAR(share(0), 1, 0.03);
    EXPECT_NEAR(share(0.1), 1, 0.03);
    EXPECT_NEAR(share(0.25), 1, 0.1); // loose places inside count too
}

TEST(ParticleArea, OfALayerHasTwoSides) {
    const SurfaceParticles layer =
        test::lattice(0.1, {{0, 0, 0}, {4, 0.4, 4}}, 0.02, [](const Vec3d&) { return true; });
    const double sides = 2 * 16 + 4 * 4 * 0.4;
    EXPECT_NEAR(particle_area(Cloud(layer, InstructionSet::scalar)) / sides, 1, 0.04);
}

} // namespace
} // namespace loam
