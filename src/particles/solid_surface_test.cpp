#include "particles/solid_surface.h"

#include <gtest/gtest.h>

#include "particles/sampling.h"
#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;

constexpr double spacing = 0.02;

SolidSurface surface_of(const ShapePtr& shape, int dimensions = 3) {
    const auto particles = fill(*shape, spacing, dimensions);
    EXPECT_TRUE(particles);
    std::vector<Vec3d> places;
    for (const FillPoint& particle : *particles) places.push_back(particle.position);
    return solid_surface(shape, false, places, spacing);
}

Other facing(const ShapePtr& other) {
    return [other](const Vec3d& at) { return Nearness{other->distance(at), other->normal(at)}; };
}

// Where do the points of a bent surface, or of bent edges, slide to?
void expect_slide(const ShapePtr& shape, const ShapePtr& other, const Vec3d& touches, bool edges = false) {
    const SolidSurface surface = surface_of(shape);
    int count = 0;
    for (const TouchPoint& point : surface.points) {
        if (point.bend == 0 || point.sharp() != edges || length(point.at + point.tip - touches) > 2 * spacing) continue;
        const auto slid = slide(*shape, point, facing(other));
        ASSERT_TRUE(slid);
        const Vec3d at = slid->at + slid->tip - slid->radius * other->normal(slid->at);
        EXPECT_LT(length(at - touches), 1e-3 * point.bend); // as level as slide() asks for
        ++count;
    }
    EXPECT_GT(count, 3);
}

TEST(SolidSurface, OfABoxHasItsCornersEdgesAndFaces) {
    const Vec3d half{0.1, 0.07, 0.05}; // no whole number of spacings
    const SolidSurface surface = surface_of(box(-half, half));
    int corners = 0, edges = 0, faces = 0;
    for (const TouchPoint& p : surface.points) {
        EXPECT_EQ(p.bend, 0);
        const Vec3d q = p.at + p.tip;
        int at_end = 0;
        for (std::size_t k = 0; k < 3; ++k) at_end += std::abs(std::abs(q[k]) - half[k]) < 1e-9;
        (p.sharp() ? at_end == 3 ? corners : edges : faces) += 1;
        if (p.sharp()) {
            EXPECT_GE(at_end, 2);
        } else {
            EXPECT_NEAR(-box(-half, half)->distance(p.at), p.radius, 0.01 * p.radius + 1e-12);
        }
    }
    EXPECT_EQ(corners, 8);
    EXPECT_GT(edges, 20);
    EXPECT_GT(faces, 100);
    EXPECT_NEAR(surface.reach_from({}), length(half), 1e-9);
}

TEST(SolidSurface, BendsAsTheShapeDoes) {
    for (const TouchPoint& p : surface_of(ball({0, 0, 0}, 0.12)).points) {
        EXPECT_FALSE(p.sharp());
        EXPECT_NEAR(p.bend + p.radius, 0.12, 0.002);
        EXPECT_NEAR(length(p.at) + p.radius, 0.12, 1e-9);
    }
    const ShapePtr can =
        make("cylinder", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0, 0.2, 0}}, {"radius", Value(0.09)}});
    int rims = 0, flat = 0;
    for (const TouchPoint& p : surface_of(can).points) {
        if (p.bend == 0) {
            ++flat;
            continue;
        }
        if (p.sharp()) {
            EXPECT_GT(p.bend, 0.088); // less bent where it is looked at along the axis
            ++rims;
        } else {
            EXPECT_NEAR(p.bend + p.radius, 0.09, 0.003);
        }
    }
    EXPECT_GT(rims, 40);
    EXPECT_GT(flat, 60); // its ends
}

TEST(SolidSurface, IsAlsoFlat) {
    const ShapePtr square = make("box", {{"min", Vec3d{0, 0, 0}}, {"max", Vec3d{0.1, 0.13, 0}}}, {"", 2, spacing});
    int corners = 0;
    for (const TouchPoint& p : surface_of(square, 2).points) {
        EXPECT_EQ(p.at.z, 0);
        corners += p.sharp();
    }
    EXPECT_EQ(corners, 4);
}

TEST(Slide, EndsWhereRoundThingsTouch) {
    const Vec3d n = normalized(Vec3d{0.3, 1, -0.2});
    const ShapePtr own = ball({0, 0, 0}, 0.12);
    expect_slide(own, make("plane", {{"point", -0.121 * n}, {"normal", n}}), -0.12 * n);
    expect_slide(own, ball(-0.42 * n, 0.3), -0.12 * n);           // on a larger ball
    expect_slide(own, ball(-0.1699 * n, 0.05), -0.12 * n);        // on a smaller one, overlapping
    expect_slide(own, invert(ball(0.18 * n, 0.3)), -0.12 * n);    // in a bowl
    expect_slide(own, invert(ball(0.0301 * n, 0.15)), -0.12 * n); // in a tight one
    const ShapePtr egg = make("ellipsoid", {{"radii", Vec3d{0.1, 0.07, 0.16}}});
    expect_slide(egg, make("plane", {{"point", Vec3d{0, -0.07, 0}}, {"normal", Vec3d{0, 1, 0}}}), {0, -0.07, 0});
    // A can tilted on its rim.
    const ShapePtr can =
        make("cylinder", {{"from", Vec3d{0, 0, 0}}, {"to", Vec3d{0, 0.2, 0}}, {"radius", Value(0.09)}});
    const Vec3d up = normalized(Vec3d{0.3, 1, 0.4});
    const Vec3d low = -0.09 * normalized(Vec3d{0.3, 0, 0.4});
    expect_slide(can, make("plane", {{"point", low}, {"normal", up}}), low, true);
}

} // namespace
} // namespace loam
