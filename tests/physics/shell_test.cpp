// Shells held to references of others: C1 and C5 of the validation list, on the law itself.
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "behaviors/shell/plate.h"
#include "figure.h"

namespace loam::test {
namespace {

using Points = std::vector<Vec3d>;

// Moves to where forces balance; velocities are taken away whenever the kinetic energy begins to fall.
template <class Hold, class Load>
void relax(Plate& plate, Points& x, const std::vector<double>& mass, double dt, const Hold& hold, const Load& load) {
    Points v(x.size()), f(x.size());
    double energy_before = 0;
    for (int n = 0; n < 400000; ++n) {
        plate.forces(x, v, f);
        double energy = 0, left = 0, given = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d own = load(i);
            f[i] += own;
            hold(i, f[i]);
            left += dot(f[i], f[i]), given += dot(own, own);
            v[i] += (dt / mass[i]) * f[i];
            energy += mass[i] * dot(v[i], v[i]);
            x[i] += dt * v[i];
        }
        if (left < 1e-8 * given) return;
        if (energy < energy_before) v.assign(v.size(), {}), energy = 0;
        energy_before = energy;
    }
    FAIL() << "does not come to rest";
}

// C1: a strip 10 x 1 x 0.1 with E = 1.2e6, clamped at one end, with a shear force at the other (Sze et al. 2004). What
// is clamped is the line midway between the two rows that are held.
TEST(SzeStrip, BendsAsItShould) {
    const double young = 1.2e6, thickness = 0.1, density = 1000, width = 0.5;
    const Sheet sheet = rectangle_sheet({-0.5 * width, 0, 0}, {10 + 0.5 * width, 0, 0}, {0, 0, 1}, width);
    Plate plate(sheet.points, sheet.triangles, {young, 0, thickness, 0});
    std::vector<double> mass, share(sheet.points.size(), 0);
    double all = 0;
    for (std::size_t i = 0; i < sheet.points.size(); ++i) {
        mass.push_back(density * thickness * sheet.shares[i]);
        if (sheet.points[i].x > 10 - 1e-6) all += share[i] = sheet.shares[i];
    }
    const double dt = 0.5 * plate.shortest_height() / std::sqrt(young / density);
    struct Tip {
        double force, u, w;
    };
    Points x = sheet.points;
    std::vector<Curve> found(2, {{0, 0}}), published(2); // U, W over the load
    const auto bend = [&](double force) {
        relax(
            plate, x, mass, dt,
            [&](std::size_t i, Vec3d& f) {
                if (sheet.points[i].x < 0.6 * width) f = {};
            },
            [&](std::size_t i) {
                return Vec3d{0, force * share[i] / all, 0};
            });
        double u = 0, w = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            u += share[i] / all * (sheet.points[i].x - x[i].x), w += share[i] / all * x[i].y;
        found[0].emplace_back(force, u), found[1].emplace_back(force, w);
        return std::pair{u, w};
    };
    for (const Tip& tip : {Tip{1, 0.563, 3.015}, Tip{2, 1.604, 4.933}, Tip{3, 2.541, 6.031}, Tip{4, 3.286, 6.698}}) {
        if (Figure::wanted())
            for (const double less : {0.75, 0.5, 0.25}) bend(tip.force - less);
        const auto [u, w] = bend(tip.force);
        published[0].emplace_back(tip.force, tip.u), published[1].emplace_back(tip.force, tip.w);
        if (std::getenv("LOAM_SHOW"))
            fmt::print("P {}: U {:.3f} ({:.3f}), W {:.3f} ({:.3f})\n", tip.force, u, tip.u, w, tip.w);
        EXPECT_NEAR(w / tip.w, 1, 0.02);
        EXPECT_NEAR(u / tip.u, 1, 0.05);
    }
    Figure figure("C1", {.title = "C1: strip under an end shear force",
                         .subtitle = "10 x 1 x 0.1, E = 1.2e6, displacements of the end",
                         .panels = {{.title = "along the strip", .x_label = "force P", .y_label = "-U"},
                                    {.title = "across the strip", .x_label = "force P", .y_label = "W"}}});
    for (std::size_t k = 0; k < 2; ++k) figure.measured("Sze et al. 2004", published[k], k);
    figure.ours("shell", found);
}

// C5: the Scordelis-Lo roof under its own weight; its curved ends stand on walls that hold them in their plane. The
// reference is of small displacements, so that here a hundredth of the weight acts; under all of it, sagging by more
// than its thickness, the roof stiffens by a sixth.
double roof_sag(double spacing) {
    const double radius = 25, along = 50, angle = 80 * std::numbers::pi / 180, young = 4.32e8, thickness = 0.25;
    Sheet sheet = rectangle_sheet({}, {radius * angle, 0, 0}, {0, 0, along}, spacing);
    const Points flat = sheet.points;
    for (Vec3d& p : sheet.points) {
        const double turn = p.x / radius - 0.5 * angle;
        p = {radius * std::sin(turn), radius * std::cos(turn), p.z};
    }
    Plate plate(sheet.points, sheet.triangles, {young, 0, thickness, 0});
    const std::vector<double> area = shares_of(sheet.points, sheet.triangles);
    std::vector<double> mass;
    const double density = 36, part = 0.01;
    for (const double a : area) mass.push_back(density * thickness * a);
    Points x = sheet.points;
    relax(
        plate, x, mass, 0.5 * plate.shortest_height() / std::sqrt(young / density),
        [&](std::size_t i, Vec3d& f) {
            if (flat[i].z < 1e-6 || flat[i].z > along - 1e-6) f.x = f.y = 0;
        },
        [&](std::size_t i) {
            return Vec3d{0, -90 * part * area[i], 0};
        });
    double sag = 0;
    int ends = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (std::abs(flat[i].z - 0.5 * along) < 0.1 && (flat[i].x < 1e-6 || flat[i].x > radius * angle - 1e-6))
            sag += (sheet.points[i].y - x[i].y) / part, ++ends;
    if (std::getenv("LOAM_SHOW")) fmt::print("free edge {:.4f} (0.3024), {} points\n", sag / ends, x.size());
    return sag / ends;
}

TEST(ScordelisLoRoof, SagsAsItShould) { EXPECT_NEAR(roof_sag(2.5) / 0.3024, 1, 0.16); }
TEST(ScordelisLoRoof, SagsAsItShouldLong) { EXPECT_NEAR(roof_sag(1.25) / 0.3024, 1, 0.07); }

} // namespace
} // namespace loam::test
