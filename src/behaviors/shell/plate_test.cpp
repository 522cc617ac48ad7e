#include "behaviors/shell/plate.h"

#include <gtest/gtest.h>

namespace loam {
namespace {

using Points = std::vector<Vec3d>;

TEST(Plate, ForcesAreGradientsOfTheEnergy) {
    const Sheet sheet = rectangle_sheet({}, {1, 0, 0}, {0, 0, 0.6}, 0.2);
    Plate plate(sheet.points, sheet.triangles, {1e5, 0.3, 0.05, 0});
    Points x = sheet.points, f(x.size());
    for (Vec3d& p : x)
        p = {1.05 * p.x + 0.02 * std::sin(9 * p.z), 0.1 * std::sin(5 * p.x + 3 * p.z), p.z + 0.03 * std::sin(7 * p.x)};
    plate.forces(x, Points(x.size()), f);
    Vec3d sum, torque;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += f[i], torque += cross(x[i], f[i]);
        for (std::size_t k = 0; k < 3; ++k) {
            Points ahead = x, behind = x;
            ahead[i][k] += 1e-6, behind[i][k] -= 1e-6;
            const double slope = (plate.energy(ahead) - plate.energy(behind)) / 2e-6;
            EXPECT_NEAR(f[i][k], -slope, 1e-5 * (1 + std::abs(slope)));
        }
    }
    EXPECT_LT(length(sum), 1e-9 * plate.energy(x));
    EXPECT_LT(length(torque), 1e-9 * plate.energy(x));
}

TEST(Plate, HasTheEnergyOfBendingAndTwisting) {
    const double young = 1.2e6, thickness = 0.1, bending = young * thickness * thickness * thickness / 12, radius = 1e4;
    const Sheet sheet = rectangle_sheet({}, {10, 0, 0}, {0, 0, 10}, 0.25);
    Plate plate(sheet.points, sheet.triangles, {young, 0, thickness, 0});
    const auto bent = [&](const auto& height) {
        Points x = sheet.points;
        for (Vec3d& p : x) p.y = height(p.x, p.z) / radius;
        return plate.energy(x) / (0.5 * bending * 100 / (radius * radius));
    };
    // Rims are half a cell short of their stiffness.
    EXPECT_NEAR(bent([](double x, double) { return 0.5 * x * x; }), 1, 0.04);
    EXPECT_NEAR(bent([](double, double z) { return 0.5 * z * z; }), 1, 0.04);
    EXPECT_NEAR(bent([](double x, double z) { return 0.25 * (x + z) * (x + z); }), 1, 0.06);
    EXPECT_NEAR(bent([](double x, double z) { return x * z; }), 2, 0.12);
}

TEST(Plate, CarriesFasterWavesWhereItIsStretched) {
    const double spacing = 0.2;
    const Sheet sheet = rectangle_sheet({}, {1, 0, 0}, {0, 0, 0.6}, spacing);
    Plate plate(sheet.points, sheet.triangles, {1e5, 0, 0.05, 0});
    Points x = sheet.points;
    const std::vector<std::uint8_t> all(x.size(), 1), none(x.size(), 0);
    EXPECT_NEAR(plate.tautness(x, all).speedup, 1, 1e-9);
    EXPECT_NEAR(plate.tautness(x, all).pull, 0, 1e-6);
    for (Vec3d& p : x) p = {p.x, 2 * p.z, 0}; // turned, too
    EXPECT_NEAR(plate.tautness(x, all).speedup, std::sqrt(5.5), 1e-9);
    // A string of points under tension: omega^2 rho = 4 sigma / spacing^2; at the rim of the mesh more.
    const double sigma = 1e5 * 1.5, of_string = 4 * sigma / (spacing * spacing);
    EXPECT_GT(plate.tautness(x, all).pull, 0.999 * of_string);
    EXPECT_LT(plate.tautness(x, all).pull, 3.01 * of_string);
    EXPECT_EQ(plate.tautness(x, none).pull, 0);
}

} // namespace
} // namespace loam
