#include "behaviors/rigid/body.h"

#include <vector>

#include <gtest/gtest.h>

namespace loam {
namespace {

constexpr double density = 500;

std::vector<MassPoint> block(int nx, int ny, int nz, double edge, double mass) {
    std::vector<MassPoint> points;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                points.push_back({{3 + (i + 0.5) * edge, (j + 0.5) * edge, (k + 0.5) * edge}, mass});
    return points;
}

TEST(RigidBody, HasTheMassCenterAndInertiaOfABlockHoweverCoarse) {
    for (const int per_edge : {1, 2, 5}) {
        const double edge = 0.2 / per_edge;
        const auto points = block(per_edge, 2 * per_edge, 3 * per_edge, edge, density * edge * edge * edge);
        const RigidBody body = body_of(points, edge, 3);
        const double mass = density * 0.2 * 0.4 * 0.6;
        EXPECT_NEAR(body.mass, mass, 1e-9);
        EXPECT_NEAR(length(body.center - Vec3d{3.1, 0.2, 0.3}), 0, 1e-12);
        EXPECT_NEAR(body.inertia.rows[0].x, mass / 12 * (0.4 * 0.4 + 0.6 * 0.6), 1e-9);
        EXPECT_NEAR(body.inertia.rows[1].y, mass / 12 * (0.2 * 0.2 + 0.6 * 0.6), 1e-9);
        EXPECT_NEAR(body.inertia.rows[2].z, mass / 12 * (0.2 * 0.2 + 0.4 * 0.4), 1e-9);
        EXPECT_NEAR(body.inertia.rows[0].y, 0, 1e-9);
    }
}

TEST(RigidBody, InAPlaneTurnsAboutZOnly) {
    const RigidBody body = body_of(block(4, 2, 1, 0.1, 1), 0.1, 2);
    EXPECT_NEAR(body.inertia.rows[2].z, 8.0 / 12 * (0.4 * 0.4 + 0.2 * 0.2), 1e-12);
    EXPECT_EQ(body.inverse_inertia * (Vec3d{1, 1, 0}), (Vec3d{}));
    EXPECT_GT((body.inverse_inertia * Vec3d{0, 0, 1}).z, 0);
}

// Spun about its middle axis a free body tumbles; angular momentum and energy stay.
TEST(RigidBody, FreeRotationKeepsAngularMomentumAndEnergy) {
    RigidBody body = body_of(block(2, 4, 6, 0.1, 1), 0.1, 3);
    body.spin = {0.01, 5, 0.02};
    const Vec3d momentum = body.angular_momentum();
    const double energy = body.kinetic_energy();
    bool turned_over = false;
    for (int k = 0; k < 5000; ++k) {
        body.move(0.01);
        const Vec3d spin_in_body = transposed(body.rotation) * body.spin;
        turned_over |= spin_in_body.y < -4;
    }
    EXPECT_TRUE(turned_over); // Dzhanibekov
    EXPECT_NEAR(length(body.angular_momentum() - momentum), 0, 1e-9 * length(momentum));
    EXPECT_NEAR(body.kinetic_energy(), energy, 1e-9 * energy);
}

TEST(RigidBody, TurnsAtTheRateOfItsSpin) {
    RigidBody body = body_of(block(3, 3, 3, 0.1, 1), 0.1, 3);
    body.spin = {0, 0, 2};
    for (int k = 0; k < 100; ++k) body.move(0.005);
    const Vec3d x = body.rotation * Vec3d{1, 0, 0};
    EXPECT_NEAR(std::atan2(x.y, x.x), 1, 1e-4);
}

TEST(RigidBody, FollowsAMotion) {
    RigidBody body = body_of(block(2, 2, 2, 0.1, 1), 0.1, 3);
    Motion motion;
    motion.velocity = {1, 0, 0};
    motion.turns_per_second = 0.25;
    motion.axis = {0, 1, 0};
    motion.pivot = body.rest_center;
    body.held = true;
    body.follow(pose_at(motion, 1));
    EXPECT_NEAR(length(body.center - body.rest_center - Vec3d{1, 0, 0}), 0, 1e-12);
    EXPECT_NEAR(length(body.rotation * Vec3d{1, 0, 0} - Vec3d{0, 0, -1}), 0, 1e-12);
    body.push({1, 1, 1}, {1, 1, 1}); // moves nothing
    EXPECT_EQ(body.velocity, (Vec3d{1, 0, 0}));
}

} // namespace
} // namespace loam
