#include <numbers>

#include <gtest/gtest.h>

#include "behaviors/springs/network.h"

namespace loam {
namespace {

constexpr double spacing = 0.1, stiffness = 700; // [N/m]

Kernel kernel_of(double radii) { return make_kernel(KERNEL_CUBIC, radii * 0.5 * spacing, 3); }

struct Flat {
    double x = 0, y = 0;
};

// A strip along x from 0 to `length`, pulled at its ends, which slide across freely: what it is as a membrane.
struct Membrane {
    double modulus, contraction;
};
Membrane pull(const Sheet& sheet, const std::vector<Bond>& bonds, double length, double width) {
    const std::size_t count = sheet.points.size();
    const auto is_end = [&](std::size_t i) {
        const double x = sheet.points[i].x;
        return x < 0.01 * spacing || x > length - 0.01 * spacing;
    };
    const auto forces = [&](const std::vector<Flat>& u) {
        std::vector<Flat> f(count);
        for (const Bond& b : bonds) {
            const Vec3d n = normalized(sheet.points[b.b] - sheet.points[b.a]);
            const double pulls = b.stiffness * ((u[b.b].x - u[b.a].x) * n.x + (u[b.b].y - u[b.a].y) * n.z);
            f[b.a].x += pulls * n.x, f[b.a].y += pulls * n.z, f[b.b].x -= pulls * n.x, f[b.b].y -= pulls * n.z;
        }
        return f;
    };
    const auto inner = [&](const std::vector<Flat>& a, const std::vector<Flat>& b) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i) sum += a[i].x * b[i].x + a[i].y * b[i].y;
        return sum;
    };
    std::vector<Flat> u(count); // by conjugate gradients, from the strip stretched by its length
    for (std::size_t i = 0; i < count; ++i) u[i].x = sheet.points[i].x;
    const auto free_part = [&](std::vector<Flat> f) {
        for (std::size_t i = 0; i < count; ++i)
            if (is_end(i)) f[i].x = 0;
        return f;
    };
    std::vector<Flat> residual = free_part(forces(u)), direction = residual;
    double error = inner(residual, residual);
    for (const double enough = 1e-16 * error; error > enough;) {
        std::vector<Flat> product = free_part(forces(direction));
        const double step = -error / inner(direction, product);
        for (std::size_t i = 0; i < count; ++i) {
            u[i].x += step * direction[i].x, u[i].y += step * direction[i].y;
            residual[i].x += step * product[i].x, residual[i].y += step * product[i].y;
        }
        const double after = inner(residual, residual);
        for (std::size_t i = 0; i < count; ++i)
            direction[i] = {residual[i].x + after / error * direction[i].x,
                            residual[i].y + after / error * direction[i].y};
        error = after;
    }
    // The contraction by a straight line through all points.
    double force = 0, zz = 0, zu = 0, z = 0, uy = 0;
    const std::vector<Flat> f = forces(u);
    for (std::size_t i = 0; i < count; ++i) {
        if (sheet.points[i].x > 0.5 * length && is_end(i)) force -= f[i].x;
        z += sheet.points[i].z / static_cast<double>(count), uy += u[i].y / static_cast<double>(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const double across = sheet.points[i].z - z;
        zz += across * across, zu += across * (u[i].y - uy);
    }
    return {force / width, -zu / zz};
}

struct Strip {
    double length, width, radii;
};

TEST(Bonds, OfARectangleAreAMembraneOfItsModulus) {
    for (const Strip& strip : {Strip{2, 0.5, 4}, Strip{2, 0.2, 4}, Strip{1.57, 0.63, 4}, Strip{2, 0.5, 6}}) {
        const Sheet sheet = rectangle_sheet({}, {strip.length, 0, 0}, {0, 0, strip.width}, spacing);
        const Membrane found =
            pull(sheet, bonds_of(sheet, kernel_of(strip.radii), stiffness), strip.length, strip.width);
        EXPECT_NEAR(found.modulus / stiffness, 1, 0.02) << strip.width << ", " << strip.radii;
        EXPECT_NEAR(found.contraction, 1.0 / 3, 0.02) << strip.width << ", " << strip.radii;
    }
}

// Uneven triangles stretch unevenly, which makes them a little softer.
TEST(Bonds, OfAnyTrianglesAreAMembraneOfItsModulus) {
    for (const Strip& strip : {Strip{2, 0.6, 4}, Strip{1.93, 1.1, 4}, Strip{2, 0.6, 6}}) {
        const Mesh mesh{{{0, 0, 0}, {strip.length, 0, 0}, {strip.length, 0, strip.width}, {0, 0, strip.width}},
                        {{0, 2, 1}, {0, 3, 2}}};
        const Sheet sheet = mesh_sheet(mesh, spacing);
        const Membrane found =
            pull(sheet, bonds_of(sheet, kernel_of(strip.radii), stiffness), strip.length, strip.width);
        EXPECT_NEAR(found.modulus / stiffness, 1, 0.05) << strip.width << ", " << strip.radii;
        EXPECT_NEAR(found.contraction, 1.0 / 3, 0.03) << strip.width << ", " << strip.radii;
    }
}

// The energy of a stretch along any direction is the same, that of a membrane of the ratio 1/3: 9/16 of the modulus.
TEST(Bonds, AreTheSameAtAnyAngleToTheGrid) {
    for (const double radii : {4.0, 5.0, 6.0}) {
        const Sheet sheet = rectangle_sheet({}, {2, 0, 0}, {0, 0, 1.93}, spacing);
        const std::vector<Bond> bonds = bonds_of(sheet, kernel_of(radii), stiffness);
        for (const double degrees : {0.0, 17.0, 30.0, 45.0, 73.0}) {
            const double a = degrees * std::numbers::pi / 180;
            const Vec3d along{std::cos(a), 0, std::sin(a)};
            double energy = 0;
            for (const Bond& b : bonds) {
                const Vec3d d = sheet.points[b.b] - sheet.points[b.a];
                const double longer = dot(d, along) * dot(d, along) / length(d);
                energy += 0.5 * b.stiffness * longer * longer;
            }
            EXPECT_NEAR(energy / (2 * 1.93 * stiffness), 9.0 / 16, 0.003) << degrees << ", " << radii;
        }
    }
}

TEST(Bonds, OfARopeAreItsModulus) {
    const Sheet rope = rectangle_sheet({}, {1.23, 0, 0}, {}, spacing);
    for (const double radii : {4.0, 6.0}) {
        double energy = 0; // at a uniform strain of 1
        for (const Bond& b : bonds_of(rope, kernel_of(radii), stiffness)) {
            const double r = length(rope.points[b.b] - rope.points[b.a]);
            energy += 0.5 * b.stiffness * r * r;
        }
        EXPECT_NEAR(energy / (0.5 * stiffness * 1.23), 1, 1e-9) << radii;
    }
}

} // namespace
} // namespace loam
