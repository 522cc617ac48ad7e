#include "particles/motion.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

Motion mixer(bool smooth) {
    Motion motion;
    motion.pivot = {1, 2, 3};
    motion.axis = {0, 2, 1}; // not a unit vector: the pose makes it one
    motion.turns_per_second = 0.7;
    motion.velocity = {0.1, 0, -0.2};
    const Interpolation how = smooth ? Interpolation::smooth : Interpolation::linear;
    motion.translation.keys = {{0.5, {0, 0, 0}, how, {}, {}},
                               {1, {1, 0, 0}, how, {}, {}},
                               {1.2, {1, 2, 0}, how, {}, {}},
                               {3, {4, 3, 0}, how, {}, {}}};
    motion.angle.keys = {{0.5, {0, 0, 0}, how, {}, {}}, {1, {90, 0, 0}, how, {}, {}}, {1.2, {60, 0, 0}, how, {}, {}}};
    return motion;
}

TEST(Motion, VelocityIsTheDerivativeOfPosition) {
    for (bool smooth : {false, true}) {
        const Motion motion = mixer(smooth);
        const Vec3d p{0.3, -1, 2};
        for (double t : {0.1, 0.6, 0.9, 1.1, 2.0, 2.9, 5.0}) {
            const double dt = 1e-6;
            const Vec3d numeric = (pose_at(motion, t + dt).point(p) - pose_at(motion, t - dt).point(p)) / (2 * dt);
            const Pose now = pose_at(motion, t);
            EXPECT_LT(length(numeric - now.velocity_at(now.point(p))), 1e-6) << "t = " << t << ", smooth " << smooth;
        }
    }
}

TEST(Motion, PositionIsContinuousAcrossKeysAndVelocityTooWhenSmooth) {
    const Vec3d p{0.3, -1, 2};
    for (bool smooth : {false, true})
        for (const Key& key : mixer(smooth).translation.keys) {
            const Pose before = pose_at(mixer(smooth), key.at - 1e-9), after = pose_at(mixer(smooth), key.at + 1e-9);
            EXPECT_LT(length(before.point(p) - after.point(p)), 1e-6);
            if (smooth) {
                EXPECT_LT(length(before.velocity - after.velocity), 1e-5);
            }
        }
}

TEST(Motion, KeysAreMetAndHeld) {
    Motion motion;
    motion.translation.keys = {{.at = 1, .value = {1, 0, 0}}, {.at = 2, .value = {3, 0, 0}}};
    motion.angle.keys = {{.at = 1}, {.at = 2, .value = {90, 0, 0}}};
    EXPECT_EQ(pose_at(motion, 0).translation, (Vec3d{1, 0, 0}));
    EXPECT_EQ(pose_at(motion, 2).translation, (Vec3d{3, 0, 0}));
    EXPECT_EQ(pose_at(motion, 9).translation, (Vec3d{3, 0, 0}));
    EXPECT_EQ(pose_at(motion, 9).velocity, Vec3d{});
    // A quarter turn about y takes x to -z.
    EXPECT_LT(length(pose_at(motion, 2).rotate({1, 0, 0}) - Vec3d{0, 0, -1}), 1e-12);
}

TEST(Motion, PointAtRestIsTheInverse) {
    const Pose pose = pose_at(mixer(true), 0.8);
    const Vec3d p{0.3, -1, 2};
    EXPECT_LT(length(pose.point_at_rest(pose.point(p)) - p), 1e-12);
}

TEST(Motion, TopSpeedBoundsTheSpeed) {
    for (bool smooth : {false, true}) {
        const Motion motion = mixer(smooth);
        const Vec3d p = motion.pivot + Vec3d{0.5, 0, 0};
        const double bound = top_speed(motion, 0.5, 0, 4);
        for (int i = 0; i <= 400; ++i) {
            const Pose pose = pose_at(motion, 0.01 * i);
            EXPECT_LE(length(pose.velocity_at(pose.point(p))), bound);
        }
    }
}

} // namespace
} // namespace loam
