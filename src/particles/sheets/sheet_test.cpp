#include "particles/sheet.h"

#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

namespace loam {
namespace {

const ShapeKind& kind(const std::string& name) {
    for (const ShapeKind& one : shape_kinds())
        if (one.declaration.name == name) return one;
    throw std::runtime_error(name);
}
ShapePtr make(const std::string& name, const std::map<std::string, Value>& given, double spacing) {
    Values values(kind(name).declaration);
    for (const auto& [property, value] : given) values.set(property, value);
    auto shape = kind(name).make(values, {"", 3, spacing});
    if (!shape) throw std::runtime_error(shape.error().text());
    return *shape;
}
double total(const Sheet& sheet) { return std::accumulate(sheet.shares.begin(), sheet.shares.end(), 0.0); }

TEST(RectangleSheet, HasItsAreaAndRows) {
    const auto sheet = sheet_of(*make("sheet", {{"u", Vec3d{2, 0, 0}}, {"v", Vec3d{0, 0, 1}}}, 0.1), 0.1);
    ASSERT_TRUE(sheet);
    EXPECT_EQ(sheet->columns, 21u);
    EXPECT_EQ(sheet->rows, 11u);
    EXPECT_EQ(sheet->points.size(), 231u);
    EXPECT_EQ(sheet->triangles.size(), 400u);
    EXPECT_NEAR(total(*sheet), 2, 1e-12);
    EXPECT_FALSE(sheet_of(*make("sphere", {}, 0.1), 0.1));
}

TEST(RectangleSheet, IsARopeWithoutItsSecondEdge) {
    const auto sheet = sheet_of(*make("sheet", {{"u", Vec3d{0, 1, 0}}}, 0.1), 0.1);
    ASSERT_TRUE(sheet && sheet->is_rope());
    EXPECT_EQ(sheet->points.size(), 11u);
    EXPECT_NEAR(total(*sheet), 1, 1e-12);
}

TEST(PlacedSheet, MovesTurnsAndKeepsTheSpacing) {
    const ShapePtr flat = make("sheet", {{"u", Vec3d{1, 0, 0}}, {"v", Vec3d{0, 0, 1}}}, 0.1);
    Placement placement;
    placement.scale = 2, placement.translation = {5, 0, 0};
    const auto sheet = sheet_of(*place(flat, placement), 0.1);
    ASSERT_TRUE(sheet);
    EXPECT_EQ(sheet->points.size(), 441u);
    EXPECT_NEAR(total(*sheet), 4, 1e-12);
    EXPECT_NEAR(sheet->points[0].x, 5, 1e-12);
}

// Its area, the lengths of its edges, and what is the same for all surfaces of its kind.
void expect_even(const Sheet& sheet, double radius, double area, double spacing, std::ptrdiff_t euler, bool has_rim) {
    EXPECT_NEAR(total(sheet) / area, 1, 0.02);
    for (const Vec3d& p : sheet.points) EXPECT_NEAR(length(p), radius, 0.04 * spacing);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> uses;
    double mean = 0;
    for (const Triangle& t : sheet.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            const double l = length(sheet.points[a] - sheet.points[b]);
            EXPECT_GT(l, 0.4 * spacing);
            EXPECT_LT(l, 1.7 * spacing);
            mean += l / (3 * static_cast<double>(sheet.triangles.size()));
            ++uses[{std::min(a, b), std::max(a, b)}];
        }
    EXPECT_NEAR(mean, spacing, 0.15 * spacing);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(sheet.points.size() + sheet.triangles.size() - uses.size()), euler);
    int open = 0;
    for (const auto& [ends, count] : uses) {
        EXPECT_LE(count, 2);
        open += count == 1;
    }
    EXPECT_EQ(open > 0, has_rim);
}

TEST(DomeSheet, IsEvenlyCutAndLiesOnItsSphere) {
    const double radius = 0.5, spacing = 0.05, area = 2 * std::numbers::pi * radius * radius;
    const auto half = sheet_of(*make("dome", {{"radius", radius}}, spacing), spacing);
    ASSERT_TRUE(half);
    expect_even(*half, radius, area, spacing, 1, true); // a disk
    for (const double angle : {178.0, 180.0}) {         // a hole that particles cannot show is none
        const auto whole = sheet_of(*make("dome", {{"radius", radius}, {"angle", angle}}, spacing), spacing);
        ASSERT_TRUE(whole);
        expect_even(*whole, radius, 2 * area, spacing, 2, false);
    }
}

} // namespace
} // namespace loam
