#include "behaviors/rigid/contact.h"

#include <gtest/gtest.h>

#include "particles/pieces.h"

namespace loam {
namespace {

class Cube : public Shape { // of edge 0.4 about the origin
public:
    double distance(const Vec3d& p) const override {
        const Vec3d q{std::abs(p.x) - 0.2, std::abs(p.y) - 0.2, std::abs(p.z) - 0.2};
        return length(max(q, Vec3d{})) + std::min(0.0, std::max({q.x, q.y, q.z}));
    }
    Bounds bounds() const override { return {{-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}}; }
};

class Ground : public Shape {
public:
    double distance(const Vec3d& p) const override { return p.y; }
    Bounds bounds() const override { return {{-1, -1, -1}, {1, 0, 1}}; }
    bool bounded() const override { return false; }
};

struct Cubes {
    std::vector<RigidBody> bodies;
    std::vector<SolidSurface> surfaces;
    std::vector<WallBody> walls;
    std::vector<SurfaceValues> values{{0.5, 0}};

    void add(const Vec3d& center) {
        std::vector<Vec3d> particles;
        std::vector<MassPoint> points;
        for (int k = 0; k < 64; ++k)
            particles.push_back({0.1 * (k % 4) - 0.15, 0.1 * (k / 4 % 4) - 0.15, 0.1 * (k / 16) - 0.15});
        for (const Vec3d& p : particles) points.push_back({p, 1});
        RigidBody body = body_of(points, 0.1, 3);
        body.center = center;
        bodies.push_back(body);
        surfaces.push_back(solid_surface(std::make_shared<Cube>(), false, particles, 0.1));
        bodies.back().reach = surfaces.back().reach_from({});
    }
    std::vector<RigidContact> contacts() const {
        return find_contacts({.bodies = bodies,
                              .surfaces = surfaces,
                              .walls = walls,
                              .values = values,
                              .periodic_length = {},
                              .periodic_begin = {},
                              .reach = 0.01,
                              .dt = 0.01});
    }
};

TEST(Contacts, OfACubeOnTheGroundAreItsCorners) {
    Cubes cubes;
    cubes.add({0, 0.199, 0});
    cubes.walls.push_back({.body = 0, .shape = std::make_shared<Ground>()});
    const auto contacts = cubes.contacts();
    int corners = 0;
    for (const RigidContact& c : contacts) {
        EXPECT_NEAR(c.gap, -0.001, 1e-9);
        EXPECT_NEAR(c.normal.y, 1, 1e-6);
        EXPECT_NEAR(c.arm.y, -0.2, 1e-9);
        EXPECT_TRUE(c.with_wall);
        corners += std::abs(std::abs(c.arm.x) - 0.2) < 1e-9 && std::abs(std::abs(c.arm.z) - 0.2) < 1e-9;
    }
    EXPECT_EQ(corners, 4);
    EXPECT_LE(contacts.size(), 9u);
}

TEST(Contacts, BetweenFacesAreFlatFromBothSides) {
    Cubes cubes;
    cubes.add({0, 0.2, 0});
    cubes.add({0.03, 0.602, 0});
    const auto contacts = cubes.contacts();
    int above = 0, below = 0;
    for (const RigidContact& c : contacts) {
        EXPECT_NEAR(c.gap, 0.002, 1e-9);
        EXPECT_NEAR(std::abs(c.normal.y), 1, 1e-6);
        (c.key.owner == 1 ? above : below) += 1;
        EXPECT_GT(c.normal.y * (c.key.owner == 1 ? 1 : -1), 0);
    }
    EXPECT_GE(above, 4);
    EXPECT_GE(below, 4);
}

TEST(Contacts, AreNoneBetweenBodiesApart) {
    Cubes cubes;
    cubes.add({0, 0, 0});
    cubes.add({0, 0.45, 0});
    EXPECT_TRUE(cubes.contacts().empty());
    cubes.bodies[1].velocity = {0, -10, 0}; // would touch within the step
    EXPECT_FALSE(cubes.contacts().empty());
}

TEST(Pieces, AreWhatHangsTogether) {
    std::vector<Vec3d> points;
    for (int k = 0; k < 6; ++k) points.push_back({0.1 * k + (k > 2 ? 0.1 : 0), 0, 0}); // a gap after the third
    const auto pieces = connected_pieces(points, 0.1);
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[0], (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(pieces[1], (std::vector<std::uint32_t>{3, 4, 5}));
}

TEST(Balls, AreTheShapeOfBodiesThatHaveNone) {
    const std::vector<Vec3d> centers{{0, 0, 0}, {1, 0, 0}};
    const ShapePtr shape = balls(centers, 0.1);
    EXPECT_NEAR(shape->distance({0.25, 0, 0}), 0.15, 1e-12);
    EXPECT_NEAR(shape->distance({1, 3, 0}), 2.9, 1e-12);
    EXPECT_NEAR(shape->distance({1, 0, 0}), -0.1, 1e-12);
    EXPECT_NEAR(shape->normal({1, 0.5, 0}).y, 1, 1e-12);
}

} // namespace
} // namespace loam
