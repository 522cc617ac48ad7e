#include "particles/shapes/shape_test_help.h"

#include <algorithm>

namespace loam {
namespace {

using namespace test;

// Distance to the surface by looking for the nearest change of sign along many directions and at many points: a sign
// needs no exact distance. Here: the nearest of many points that are known to lie on the surface.
double brute_force(const Shape& shape, const Vec3d& at, const std::vector<Vec3d>& surface) {
    double best = 1e300;
    for (const Vec3d& q : surface) best = std::min(best, length(q - at));
    return shape.distance(at) < 0 ? -best : best;
}

// Points on the surface by bisection of random segments, using the sign of the distance only.
std::vector<Vec3d> surface_points(const Shape& shape, int count) {
    Sequence random(7);
    std::vector<Vec3d> found;
    const Bounds b = shape.bounds().grown(0.1);
    while (static_cast<int>(found.size()) < count) {
        Vec3d in = random_in(random, b), out = random_in(random, b);
        if (shape.distance(in) > 0) std::swap(in, out);
        if (shape.distance(in) > 0 || shape.distance(out) < 0) continue;
        for (int i = 0; i < 40; ++i) {
            const Vec3d middle = 0.5 * (in + out);
            (shape.distance(middle) < 0 ? in : out) = middle;
        }
        found.push_back(in);
    }
    return found;
}

std::vector<std::pair<std::string, ShapePtr>> solids() {
    return {
        {"box", box({-0.5, 0, 0}, {0.5, 0.6, 0.8})},
        {"rounded", make("box", {{"min", Vec3d{0, 0, 0}}, {"max", Vec3d{1, 0.6, 0.8}}, {"rounding", 0.2}})},
        {"sphere", ball({0.1, 0.2, 0.3}, 0.5)},
        {"ellipsoid", make("ellipsoid", {{"radii", Vec3d{0.5, 0.2, 0.3}}})},
        {"cylinder", make("cylinder", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0.3, 0.6, 0.2}}, {"radius", 0.25}})},
        {"capsule", make("capsule", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0.3, 0.6, 0.2}}, {"radius", 0.25}})},
        {"cone",
         make("cone",
              {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0.2, 0.6, 0}}, {"radius_from", 0.4}, {"radius_to", 0.1}})},
        {"torus", make("torus", {{"axis", Vec3d{1, 1, 0}}, {"radius", 0.4}, {"tube", 0.15}})},
        {"disk", make("disk", {{"normal", Vec3d{0, 1, 1}}, {"radius", 0.4}, {"thickness", 0.1}})},
    };
}

TEST(Primitives, DistancesAgreeWithBruteForce) {
    for (const auto& [name, shape] : solids()) {
        const std::vector<Vec3d> surface = surface_points(*shape, 20000);
        Sequence random(3);
        for (int i = 0; i < 100; ++i) {
            const Vec3d at = random_in(random, shape->bounds().grown(0.3));
            const double wanted = brute_force(*shape, at, surface);
            EXPECT_NEAR(shape->distance(at), wanted, 0.025) << name;
            EXPECT_LE(std::abs(shape->distance(at)), std::abs(wanted) + 1e-6) << name;
        }
    }
}

TEST(Primitives, SignAgreesWithTheMeaning) {
    Sequence random(5);
    const auto all = solids();
    for (int i = 0; i < 1000; ++i) {
        const Vec3d p = random_in(random, {{-1, -1, -1}, {1, 1, 1}});
        EXPECT_EQ(all[0].second->distance(p) < 0, std::abs(p.x) < 0.5 && p.y > 0 && p.y < 0.6 && p.z > 0 && p.z < 0.8);
        const double e = p.x * p.x / 0.25 + p.y * p.y / 0.04 + p.z * p.z / 0.09;
        EXPECT_EQ(all[3].second->distance(p) < 0, e < 1);
        const Vec3d axis = normalized(Vec3d{0.3, 0.6, 0.2});
        const double along = dot(p, axis), off = length(p - along * axis);
        EXPECT_EQ(all[4].second->distance(p) < 0, along > 0 && along < 0.7 && off < 0.25);
    }
}

TEST(Primitives, NormalsFollowTheDistance) {
    Sequence random(11);
    for (const auto& [name, shape] : solids())
        for (int i = 0; i < 200; ++i) {
            const Vec3d at = random_in(random, shape->bounds().grown(0.2)), n = shape->normal(at);
            const double step = 1e-4, d = shape->distance(at);
            EXPECT_NEAR(length(n), 1, 1e-9) << name;
            const double slope = (shape->distance(at + step * n) - d) / step;
            if (d > 0) {
                EXPECT_NEAR(slope, 1, 1e-2) << name;
            }
        }
}

TEST(Primitives, BoundsHoldTheShapeTightly) {
    for (const auto& [name, shape] : solids()) {
        Bounds b;
        for (const Vec3d& p : surface_points(*shape, 20000)) b.add(p);
        EXPECT_NEAR(length(b.lo - shape->bounds().lo), 0, 0.05) << name;
        EXPECT_NEAR(length(b.hi - shape->bounds().hi), 0, 0.05) << name;
    }
}

TEST(Primitives, LieInThePlaneIn2D) {
    const ShapeContext flat{"", 2, 0.02};
    const ShapePtr rectangle = make("box", {{"min", Vec3d{0, 0, 5}}, {"max", Vec3d{2, 1, 5}}}, flat);
    EXPECT_DOUBLE_EQ(rectangle->distance({1, 0.5, 9}), -0.5);
    EXPECT_DOUBLE_EQ(rectangle->distance({5, 5, 0}), 5);
    const ShapePtr circle = make("circle", {{"center", Vec3d{0, 0, 3}}, {"radius", 1.0}}, flat);
    EXPECT_DOUBLE_EQ(circle->distance({2, 0, 0}), 1);
    const ShapePtr pole = make("cylinder", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0, 0, 1}}, {"radius", 1.0}}, flat);
    EXPECT_DOUBLE_EQ(pole->distance({0, 3, 0}), 2);
    const ShapePtr ellipse = make("ellipsoid", {{"radii", Vec3d{2, 1, 0.1}}}, flat);
    EXPECT_NEAR(ellipse->distance({0, 0.5, 0}), -0.5, 1e-6);
    const ShapePtr ring = make("torus", {{"radius", 1.0}, {"tube", 0.2}}, flat);
    EXPECT_NEAR(ring->distance({0, 0, 0}), 0.8, 1e-12);
    EXPECT_EQ(circle->bounds().size().z, 0);
}

TEST(Primitives, WrongValuesNameTheProperty) {
    EXPECT_EQ(try_make("box", {{"min", Vec3d{0, 0, 0}}, {"max", Vec3d{1, 0, 1}}}).error().where, "max");
    EXPECT_EQ(try_make("box", {{"rounding", 0.8}}).error().where, "rounding");
    EXPECT_EQ(try_make("plane", {{"normal", Vec3d{}}}).error().where, "normal");
    EXPECT_EQ(try_make("cylinder", {{"to", Vec3d{}}}).error().where, "to");
    EXPECT_EQ(try_make("torus", {{"radius", 0.1}, {"tube", 0.2}}).error().where, "tube");
}

} // namespace
} // namespace loam
