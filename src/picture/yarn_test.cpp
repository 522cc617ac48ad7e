#include "picture/yarn.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loam {
namespace {

constexpr double pitch = 0.1;

struct Cloth {
    BodySheet body;
    SurfaceMesh now;
};

// Flat, in the plane y = 0.
Cloth flat(std::size_t cells_x, std::size_t cells_z) {
    const Vec3d u{pitch * static_cast<double>(cells_x), 0, 0}, v{0, 0, pitch * static_cast<double>(cells_z)};
    Cloth cloth;
    cloth.body.sheet = std::make_shared<Sheet>(rectangle_sheet({}, u, v, pitch));
    for (const Vec3d& p : cloth.body.sheet->points) {
        cloth.now.vertices.push_back({float(p.x), float(p.y), float(p.z)});
        cloth.now.normals.push_back({0, 1, 0});
    }
    return cloth;
}

TEST(Yarn, StaysAtTheSheetAndWithinIt) {
    for (const bool woven : {false, true}) {
        const Cloth cloth = flat(6, 5);
        ASSERT_TRUE(has_threads(cloth.body));
        const Curves yarn = yarn_of(cloth.now, cloth.body, {.woven = woven, .fuzz = 0});
        ASSERT_FALSE(yarn.pieces.empty());
        EXPECT_EQ(yarn.colors.size(), yarn.pieces.size());
        EXPECT_TRUE(yarn.movement.empty());
        float high = 0, low = 0;
        for (const Float4& p : yarn.points) {
            EXPECT_GT(p.x, -0.5f * pitch);
            EXPECT_LT(p.x, 6.5f * pitch);
            high = std::max(high, p.y + p.w), low = std::min(low, p.y - p.w);
        }
        EXPECT_LT(high, 0.5f * pitch);
        EXPECT_GT(high, 0.2f * pitch); // it is not flat: threads go over and under each other
        EXPECT_NEAR(high, -low, 0.1f * pitch);
    }
}

TEST(Yarn, IsTheSameForTheSameSeed) {
    const Cloth cloth = flat(4, 4);
    const auto points = [&](std::uint32_t seed) { return yarn_of(cloth.now, cloth.body, {.seed = seed}).points; };
    const auto same = [](const std::vector<Float4>& a, const std::vector<Float4>& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const Float4& p, const Float4& q) { return p.xyz() == q.xyz() && p.w == q.w; });
    };
    EXPECT_TRUE(same(points(1), points(1)));
    EXPECT_FALSE(same(points(1), points(2)));
}

TEST(Yarn, FuzzAddsThinFibers) {
    const Cloth cloth = flat(4, 4);
    const Curves bare = yarn_of(cloth.now, cloth.body, {.fuzz = 0}),
                 fuzzy = yarn_of(cloth.now, cloth.body, {.fuzz = 20});
    EXPECT_GT(fuzzy.pieces.size(), bare.pieces.size() + 5 * 4 * 20);
    float thinnest = 1;
    for (const Float4& p : fuzzy.points) thinnest = std::min(thinnest, p.w);
    EXPECT_LT(thinnest, 0.02f * pitch);
}

TEST(Yarn, EndsWhereTheSheetIsTorn) {
    Cloth cloth = flat(6, 4);
    const Sheet& sheet = *cloth.body.sheet;
    for (std::size_t i = 0; i < sheet.points.size(); ++i)
        if (sheet.points[i].x > 3.5 * pitch) cloth.now.vertices[i].x += 10 * pitch;
    const Curves yarn = yarn_of(cloth.now, cloth.body, {.fuzz = 0});
    for (const std::uint32_t first : yarn.pieces) { // no piece goes across
        const float a = yarn.points[first + 1].x, b = yarn.points[first + 2].x;
        EXPECT_LT(std::abs(a - b), pitch);
    }
}

TEST(Yarn, ARopeIsTwistedOfThreePlies) {
    Cloth rope;
    rope.body.sheet = std::make_shared<Sheet>(rectangle_sheet({}, {10 * pitch, 0, 0}, {}, pitch));
    for (const Vec3d& p : rope.body.sheet->points) rope.now.vertices.push_back({float(p.x), float(p.y), float(p.z)});
    const Curves yarn = yarn_of(rope.now, rope.body, {.fuzz = 0});
    EXPECT_EQ(yarn.pieces.size() % 3, 0u);
    float least = 1, most = 0;
    for (const Float4& p : yarn.points)
        least = std::min(least, std::hypot(p.y, p.z)), most = std::max(most, std::hypot(p.y, p.z));
    EXPECT_NEAR(least, most, 1e-5); // plies go around the middle
    EXPECT_GT(least, 0.1f * pitch);
}

} // namespace
} // namespace loam
