#include "picture/courses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "picture/yarn.h"

namespace loam {
namespace {

struct Knit {
    BodySheet body;
    SurfaceMesh now;
};

Knit as_knit(Sheet sheet, double thickness) {
    Knit knit;
    sheet = in_three_layers(std::move(sheet), thickness / 3);
    for (const Vec3d& p : sheet.points) knit.now.vertices.push_back({float(p.x), float(p.y), float(p.z)});
    knit.body.sheet = std::make_shared<Sheet>(std::move(sheet));
    knit.body.wales = 100, knit.body.courses = 125;
    return knit;
}

Vec3d place(const Knit& knit, const SheetSpot& spot) {
    Vec3d sum;
    for (std::size_t k = 0; k < spot.count; ++k)
        sum += static_cast<double>(spot.shares[k]) * knit.body.sheet->points[spot.points[k]];
    return sum;
}

TEST(Courses, HaveTheStitchesThatAreAskedForWhateverTheParticles) {
    for (const double spacing : {0.05, 0.02, 0.004}) {
        const Knit knit = as_knit(rectangle_sheet({}, {0.3, 0, 0}, {0, 0.2, 0}, spacing), 0.006);
        const std::vector<Course> courses = courses_of(knit.body);
        ASSERT_EQ(courses.size(), 25U);
        for (const Course& course : courses) EXPECT_EQ(course.size(), 30U * bonds_of_stitch + 1);
        // Figure 4.2: t7 of the fourth stitch of the second course.
        const Vec3d at = place(knit, courses[1][3 * bonds_of_stitch + 2].spot);
        EXPECT_NEAR(at.x, (3 + 2.5 / 7) * 0.01, 1e-6);
        EXPECT_NEAR(at.y, 1.25 * 0.008, 1e-6);
    }
}

TEST(Courses, GoAroundASurface) {
    Sheet tube; // around y
    constexpr int around = 40, up = 10;
    for (int r = 0; r <= up; ++r)
        for (int c = 0; c < around; ++c)
            tube.points.push_back(
                {0.1 * std::cos(2 * M_PI * c / around), 0.02 * r, 0.1 * std::sin(2 * M_PI * c / around)});
    for (int r = 0; r < up; ++r)
        for (int c = 0; c < around; ++c) {
            const auto at = [&](int i, int j) {
                return static_cast<std::uint32_t>((r + i) * around + (c + j) % around);
            };
            tube.triangles.push_back({at(0, 0), at(1, 0), at(1, 1)}),
                tube.triangles.push_back({at(0, 0), at(1, 1), at(0, 1)});
        }
    tube.shares = shares_of(tube.points, tube.triangles);
    const Knit knit = as_knit(std::move(tube), 0.006);
    const std::vector<Course> courses = courses_of(knit.body);
    ASSERT_EQ(courses.size(), 25U);
    for (std::size_t c = 0; c < courses.size(); ++c) {
        EXPECT_EQ(courses[c].size(), 63U * bonds_of_stitch + 1); // 2 pi 0.1 m, 100 per metre
        EXPECT_LT(length(place(knit, courses[c].front().spot) - place(knit, courses[c].back().spot)), 1e-6); // closed
        for (const BondingPoint& bond : courses[c]) {
            const Vec3d p = place(knit, bond.spot);
            EXPECT_NEAR(std::hypot(p.x, p.z), 0.1, 5e-4);
            EXPECT_LT(std::abs(p.y - 0.008 * (static_cast<double>(c) + 0.7)), 0.008);
        }
    }
}

TEST(Courses, YarnIsAsThickAsTheKnitAndDarkWhereItIsWet) {
    Knit knit = as_knit(rectangle_sheet({}, {0.2, 0, 0}, {0, 0.1, 0}, 0.01), 0.006);
    knit.now.columns.push_back({"saturation", "", 1, {}});
    for (const Vec3f& p : knit.now.vertices) knit.now.columns[0].values.push_back(p.x > 0.1f ? 1.0f : 0.0f);
    const Curves yarn = knit_of(knit.now, knit.body, {.fuzz = 0});
    float high = 0, low = 0, dry = 0, wet = 1;
    for (const Float4& p : yarn.points) high = std::max(high, p.z + p.w), low = std::min(low, p.z - p.w);
    EXPECT_NEAR(high, 0.0037f, 0.0005f); // layers are 2 mm off, and yarn is 1.5 mm thick to each side
    EXPECT_NEAR(low, -0.0037f, 0.0005f);
    for (std::size_t k = 0; k < yarn.pieces.size(); ++k) {
        const float x = yarn.points[yarn.pieces[k] + 1].x;
        if (x < 0.08f) dry = std::max(dry, yarn.colors[k].x);
        if (x > 0.12f) wet = std::min(wet, yarn.colors[k].x);
    }
    EXPECT_LT(wet, 0.6f * dry);
    EXPECT_TRUE(yarn.movement.empty());
}

} // namespace
} // namespace loam
