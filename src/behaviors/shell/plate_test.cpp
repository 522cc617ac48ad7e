#include "behaviors/shell/damping.h"

#include <numbers>

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

// A strip with hinges at its ends: each swing of period P takes the share 2 pi^2 T / P of its height, whatever the
// mesh.
TEST(Plate, DampingTakesItsShareOfEachSwing) {
    const double young = 1e6, thickness = 0.1, density = 1000, damping = 0.005;
    for (const double spacing : {0.1, 0.05}) {
        const Sheet sheet = rectangle_sheet({}, {1, 0, 0}, {0, 0, 2 * spacing}, spacing);
        Plate plate(sheet.points, sheet.triangles, {young, 0, thickness, 0});
        PlateDamping friction;
        Points x = sheet.points, v(x.size()), f(x.size());
        std::vector<double> per_mass, shape;
        for (std::size_t i = 0; i < x.size(); ++i) {
            shape.push_back(std::sin(std::numbers::pi * x[i].x));
            per_mass.push_back(std::abs(x[i].x - 0.5) > 0.499 ? 0 : 1 / (density * thickness * sheet.shares[i]));
            x[i].y = 1e-5 * shape[i];
        }
        const auto height = [&] {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) sum += shape[i] * x[i].y;
            return sum;
        };
        const double dt = 0.2 * plate.shortest_height() / std::sqrt(young / density), at_first = height();
        double lowest = 0, highest = 0, period = 0, before = at_first;
        for (int crossings = 0; crossings<3; period += crossings> 0 && crossings < 3 ? dt : 0) {
            plate.forces(x, v, f);
            for (std::size_t i = 0; i < x.size(); ++i) v[i] += (dt * per_mass[i]) * f[i];
            friction.slow(plate, x, v, per_mass, dt * damping);
            for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
            const double now = height();
            crossings += now * before < 0;
            lowest = std::min(lowest, now);
            if (crossings == 2) highest = std::max(highest, now);
            before = now;
        }
        const double lost = std::log(at_first / highest), share = 2 * std::pow(std::numbers::pi, 2) * damping / period;
        EXPECT_NEAR(lost, share, 0.05 * share) << "with a spacing of " << spacing;
        EXPECT_NEAR(std::log(-lowest / highest), 0.5 * share, 0.05 * share);
    }
}

// However strong it is, it takes neither momentum nor spin, and what turns as a whole is not damped.
TEST(Plate, DampingKeepsMomentumAndSpin) {
    const Sheet sheet = rectangle_sheet({}, {1, 0, 0}, {0, 0, 0.6}, 0.1);
    Plate plate(sheet.points, sheet.triangles, {1e6, 0.3, 0.02, 0});
    PlateDamping friction;
    Points x = sheet.points, v;
    for (Vec3d& p : x) p.y = 0.1 * std::sin(4 * p.x);
    const std::vector<double> per_mass(x.size(), 3);
    const auto spin = [&] {
        Vec3d sum;
        for (std::size_t i = 0; i < x.size(); ++i) sum += cross(x[i], v[i]);
        return sum;
    };
    for (const Vec3d& p : x) v.push_back(cross(Vec3d{1, 2, -1}, p) + Vec3d{0.3, 0, 1});
    const Points turning = v;
    friction.slow(plate, x, v, per_mass, 1);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(length(v[i] - turning[i]), 1e-9);
    for (std::size_t i = 0; i < x.size(); ++i) v[i] += Vec3d{std::sin(9 * x[i].z), std::cos(7 * x[i].x), 0};
    const Vec3d before = spin();
    const Points shaken = v;
    friction.slow(plate, x, v, per_mass, 1);
    EXPECT_LT(length(spin() - before), 1e-6 * length(before));
    Vec3d change;
    for (std::size_t i = 0; i < x.size(); ++i) change += v[i] - shaken[i];
    EXPECT_LT(length(change), 1e-6);
}

} // namespace
} // namespace loam
