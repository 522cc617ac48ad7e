#include "surface/rigid_fit.h"

#include <vector>

#include <gtest/gtest.h>

namespace loam {
namespace {

Vec3d about_z(const Vec3d& p, double angle) {
    return {std::cos(angle) * p.x - std::sin(angle) * p.y, std::sin(angle) * p.x + std::cos(angle) * p.y, p.z};
}

TEST(RigidFit, FindsTurnAndShift) {
    for (const double angle : {0.0, 0.3, 2.0, 3.14159265358979, -1.5}) {
        std::vector<Vec3d> rest{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}}, now;
        for (const Vec3d& p : rest) now.push_back(about_z(p, angle) + Vec3d{5, -1, 2});
        const RigidFit fit = fit_rigid(rest, now);
        for (std::size_t i = 0; i < rest.size(); ++i) EXPECT_NEAR(length(fit.point(rest[i]) - now[i]), 0, 1e-12);
        EXPECT_NEAR(length(fit.turned({1, 0, 0}) - about_z({1, 0, 0}, angle)), 0, 1e-12);
    }
}

TEST(RigidFit, WorksForASheet) {
    std::vector<Vec3d> rest{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {1, 2, 0}}, now;
    for (const Vec3d& p : rest) now.push_back({p.z, p.x, p.y}); // a turn about the diagonal
    const RigidFit fit = fit_rigid(rest, now);
    EXPECT_NEAR(length(fit.turned({0, 0, 1}) - Vec3d{1, 0, 0}), 0, 1e-12);
}

} // namespace
} // namespace loam
