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

// Euler's equations in the axes of the body, by Runge and Kutta in steps far too short: I w' = I w x w, q' = q w / 2.
Quaternion euler(const RigidBody& body, double time, int steps) {
    struct State {
        Vec3d w;
        Quaternion q;
    };
    const double h = time / steps;
    const auto rate = [&](const State& s) {
        const Quaternion dq = s.q * Quaternion{0, 0.5 * s.w};
        return State{body.inverse_at_rest * cross(body.inertia * s.w, s.w), dq};
    };
    const auto ahead = [](const State& s, double by, const State& r) {
        return State{s.w + by * r.w, {s.q.w + by * r.q.w, s.q.v + by * r.q.v}};
    };
    State now{body.spin, {}};
    for (int n = 0; n < steps; ++n) {
        const State a = rate(now), b = rate(ahead(now, h / 2, a)), c = rate(ahead(now, h / 2, b)),
                    d = rate(ahead(now, h, c));
        now = ahead(ahead(ahead(ahead(now, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
    }
    return normalized(now.q);
}

TEST(RigidBody, TumblesByEulersEquationsInStepsOfAnyLength) {
    const double time = 3;
    RigidBody first = body_of(block(3, 5, 8, 0.04, 0.06), 0.04, 3);
    first.spin = {0.5, 11, -0.8}; // nearly about the middle axis: it tumbles over
    first.velocity = {1, 2, 3};
    const Matrix3 right = matrix_of(euler(first, time, 300000));
    for (const int steps : {12, 90, 5000}) {
        RigidBody body = first;
        for (int n = 0; n < steps; ++n) body.move(time / steps);
        double off = 0;
        for (std::size_t k = 0; k < 3; ++k) off = std::max(off, length(body.rotation.rows[k] - right.rows[k]));
        EXPECT_LT(off, 1e-4) << steps; // of some 33 rad
        EXPECT_LT(length(body.angular_momentum() - first.angular_momentum()), 1e-10 * length(first.angular_momentum()));
        EXPECT_NEAR(body.kinetic_energy(), first.kinetic_energy(), 1e-9 * first.kinetic_energy());
        EXPECT_LT(length(body.center - first.center - time * first.velocity), 1e-9);
    }
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
