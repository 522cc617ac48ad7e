// A body has the volume, mass, center and inertia of its shape, whatever its lattice cuts out of it; from closed forms.
#include <numbers>

#include <gtest/gtest.h>

#include "run_scene.h"

namespace loam::test {
namespace {

constexpr double pi = std::numbers::pi, density = 730, dx = 0.04;

struct Solid {
    const char* name;
    int dimensions;
    std::string shape;
    double volume;
    Vec3d center;
    Vec3d inertia; // over the mass, about the axes; in 2D about z
};

std::vector<Solid> solids() {
    const auto ball = [](double radius) {
        const double each = 0.4 * radius * radius;
        return Solid{"ball",
                     3,
                     fmt::format(R"({{"sphere": {{"center": [0.3, 1, 0.11], "radius": {}}}}})", radius),
                     4.0 / 3 * pi * std::pow(radius, 3),
                     {0.3, 1, 0.11},
                     {each, each, each}};
    };
    const double a = 0.21, b = 0.33, c = 0.27, r = 0.13, h = 0.37;
    return {
        ball(0.12),
        ball(0.17),
        {"box",
         3,
         fmt::format(R"({{"box": {{"min": [0, 1, 0], "max": [{}, {}, {}]}}}})", a, 1 + b, c),
         a * b * c,
         {0.5 * a, 1 + 0.5 * b, 0.5 * c},
         {(b * b + c * c) / 12, (a * a + c * c) / 12, (a * a + b * b) / 12}},
        {"box on its side",
         3, // a quarter turn about z, and one about x, from any side to another
         fmt::format(R"({{"union": [{{"box": {{"min": [{}, {}, {}], "max": [{}, {}, {}]}},
                         "rotate": {{"axis": [1, 1, 1], "degrees": 120}}, "translate": [0.4, 1, 0]}}]}})",
                     -a / 2, -b / 2, -c / 2, a / 2, b / 2, c / 2),
         a * b * c,
         {0.4, 1, 0},
         {(a * a + b * b) / 12, (b * b + c * c) / 12, (a * a + c * c) / 12}},
        {"cylinder",
         3,
         fmt::format(R"({{"cylinder": {{"from": [0.01, 1, 0], "to": [0.01, {}, 0], "radius": {}}}}})", 1 + h, r),
         pi * r * r * h,
         {0.01, 1 + 0.5 * h, 0},
         {r * r / 4 + h * h / 12, r * r / 2, r * r / 4 + h * h / 12}},
        {"plate",
         3,
         R"({"box": {"min": [0, 1, 0], "max": [0.5, 1.055, 0.43]}})",
         0.5 * 0.055 * 0.43,
         {0.25, 1.0275, 0.215},
         {(0.055 * 0.055 + 0.43 * 0.43) / 12, (0.5 * 0.5 + 0.43 * 0.43) / 12, (0.5 * 0.5 + 0.055 * 0.055) / 12}},
        {"disc",
         2,
         R"({"circle": {"center": [0.2, 1.01], "radius": 0.15}})",
         pi * 0.15 * 0.15,
         {0.2, 1.01, 0},
         {0, 0, 0.5 * 0.15 * 0.15}},
        {"turned rectangle",
         2,
         R"({"box": {"min": [-0.15, -0.11], "max": [0.15, 0.11]}, "rotate": {"degrees": 27}, "translate": [0, 1]})",
         0.3 * 0.22,
         {0, 1, 0},
         {0, 0, (0.3 * 0.3 + 0.22 * 0.22) / 12}},
    };
}

std::unique_ptr<Simulation> body_of(const Solid& solid, const char* material) {
    return start(fmt::format(R"({{"dimensions": {}, "duration": 1, "particle_radius": {}, "bodies": {{"body": {{
        "shape": {}, "behaviors": {{"{}": {{"density": {}}}}}}}}}}})",
                             solid.dimensions, dx / 2, solid.shape, material, density));
}

TEST(BodyMass, AndCenterAreThoseOfTheShape) {
    for (const Solid& solid : solids())
        for (const char* material : {"rigid", "elastic", "fluid"}) {
            const auto s = body_of(solid, material);
            const Pool& pool = s->particles();
            const double space = s->context().scene.space / lattice_volume(s->context().scene.kernel, dx);
            double mass = 0, volume = 0;
            Vec3d first;
            for (std::size_t i = 0; i < pool.size(); ++i) {
                const double own = pool[pool.mass][i];
                mass += own, volume += space * pool[pool.volume][i], first += own * pool[pool.position][i];
            }
            EXPECT_NEAR(mass / (density * solid.volume), 1, 0.005) << solid.name << " " << material;
            EXPECT_NEAR(volume / solid.volume, 1, 0.005) << solid.name << " " << material;
            EXPECT_LT(length(first / mass - solid.center), 0.01 * dx) << solid.name << " " << material;
        }
}

// By how fast a push aside of the center makes it spin.
TEST(BodyMass, InertiaIsThatOfTheShape) {
    for (const Solid& solid : solids()) {
        const double mass = density * solid.volume;
        for (std::size_t axis = solid.dimensions == 2 ? 2 : 0; axis < 3; ++axis) {
            const auto s = body_of(solid, "rigid");
            Pool& pool = s->particles();
            Vec3d about;
            about[axis] = 1;
            Vec3d given; // angular momentum
            for (std::size_t i = 0; i < pool.size(); ++i) {
                const Vec3d arm = pool[pool.position][i] - solid.center, v = cross(about, arm);
                pool[pool.velocity][i] = float4(v);
                given += static_cast<double>(pool[pool.mass][i]) * cross(arm, v);
            }
            if (const Status done = s->step(1e-4); !done) throw std::runtime_error(done.error().text());
            double along = 0, all = 0; // the spin that fits velocities best
            for (std::size_t i = 0; i < pool.size(); ++i) {
                const Vec3d v = cross(about, pool[pool.position][i] - solid.center);
                along += dot(v, pool[pool.velocity][i].xyz_double()), all += dot(v, v);
            }
            EXPECT_NEAR(given[axis] / (along / all) / (mass * solid.inertia[axis]), 1, 0.005) << solid.name << " about "
                                                                                              << "xyz"[axis];
        }
    }
}

} // namespace
} // namespace loam::test
