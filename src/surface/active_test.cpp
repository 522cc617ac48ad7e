// The method `active` over frames.
#include <gtest/gtest.h>

#include "surface/level_set.h"
#include "surface/march.h"
#include "surface/surface.h"
#include "surface/test_fields.h"

namespace loam {
namespace {

constexpr double pi = 3.14159265358979323846;

std::unique_ptr<SurfaceMaker> active(std::vector<std::string> settings = {}) {
    return std::move(*SurfaceMaker::create("active", settings));
}

SurfaceMesh make(SurfaceMaker& maker, const SurfaceParticles& particles) {
    Result<SurfaceMesh> mesh = maker.make(particles, {.isa = best_instruction_set()});
    EXPECT_TRUE(mesh);
    return mesh ? std::move(*mesh) : SurfaceMesh{};
}

void set_velocity(SurfaceParticles& particles, const Vec3f& velocity) {
    particles.columns = {{"velocity", "m/s", 3, {}}};
    for (std::size_t i = 0; i < particles.positions.size(); ++i)
        particles.columns[0].values.insert(particles.columns[0].values.end(), {velocity.x, velocity.y, velocity.z});
}

double middle_x(const SurfaceMesh& mesh) {
    double sum = 0;
    for (const Vec3f& v : mesh.vertices) sum += v.x;
    return sum / static_cast<double>(mesh.vertices.size());
}

TEST(Active, MovesAlongWithItsParticles) {
    auto maker = active({"tracking=0.01"}); // so it is the motion that brings it along
    SurfaceParticles particles = test::ball(0.6, 0.1);
    set_velocity(particles, {10, 0, 0});
    make(*maker, particles);
    for (int frame = 1; frame <= 4; ++frame) {
        for (Vec3d& p : particles.positions) p.x += 0.4; // eight cells
        particles.time = 0.04 * frame;
        EXPECT_NEAR(middle_x(make(*maker, particles)), 0.4 * frame, 0.02);
    }
}

TEST(Active, DustDoesNotCarryItAlong) {
    auto maker = active({"tracking=0.01"});
    SurfaceParticles particles = test::ball(0.6, 0.1);
    const std::size_t count = particles.positions.size();
    for (std::size_t i = 0; i < count; ++i) particles.positions.push_back(particles.positions[i]);
    particles.sizes.assign(count, 1);
    particles.sizes.resize(2 * count, 0.05f);
    set_velocity(particles, {});
    for (std::size_t i = count; i < 2 * count; ++i) particles.columns[0].values[3 * i] = 10;
    make(*maker, particles);
    particles.time = 0.04;
    EXPECT_NEAR(middle_x(make(*maker, particles)), 0, 0.02);
}

TEST(Active, NewMatterGrowsInsteadOfPopping) {
    const SurfaceParticles fresh = test::ball(0.25, 0.1);
    const auto volumes = [&](const std::string& method) {
        auto maker = std::move(*SurfaceMaker::create(method, {}));
        SurfaceParticles particles = test::ball(0.6, 0.1);
        std::vector<double> found{enclosed_volume(make(*maker, particles))};
        for (const Vec3d& p : fresh.positions) particles.positions.push_back(p + Vec3d{2, 0, 0});
        for (int frame = 1; frame <= 6; ++frame) found.push_back(enclosed_volume(make(*maker, particles)));
        return found;
    };
    const std::vector<double> calm = volumes("active"), sudden = volumes("anisotropic");
    const double jump = sudden[1] - sudden[0];
    EXPECT_LT(calm[1] - calm[0], 0.75 * jump);
    EXPECT_NEAR((calm[6] - calm[0]) / fresh.volume(), 1, 0.2); // and is there in the end, if under tension
}

TEST(Active, KeepsVolumeOverManyFrames) {
    auto maker = active();
    SurfaceParticles particles = test::ball(1, 0.1, 0.1);
    SurfaceMesh mesh;
    for (int frame = 0; frame < 10; ++frame) mesh = make(*maker, particles);
    EXPECT_NEAR(enclosed_volume(mesh) / particles.volume(), 1, 0.01);
    EXPECT_TRUE(topology(mesh).manifold);
}

TEST(Active, TensionSmooths) {
    const SurfaceParticles particles = test::ball(1, 0.1, 0.3);
    auto loose = active({"tension=0"}), tense = active({"tension=0.5"});
    EXPECT_LT(area(make(*tense, particles)), 0.995 * area(make(*loose, particles)));
}

// Under curvature a sphere's radius shrinks as R^2 = R0^2 - 4 t.
TEST(LevelSet, SphereShrinksByItsCurvature) {
    SparseField field = test::field_of({{-2, -2, -2}, {2, 2, 2}}, 0.1, [](const Vec3d& p) { return 1 - length(p); });
    field.outside = -10, field.inside = 10;
    for (int step = 0; step < 100; ++step) curvature_step(field, {.amount = 0.001});
    const double radius = std::cbrt(enclosed_volume(march(field)) / (4 * pi / 3));
    EXPECT_NEAR(radius, std::sqrt(1 - 4 * 0.1), 0.01);
}

TEST(LevelSet, ValuesBetweenNodesAreTrilinear) {
    const auto value = [](const Vec3d& p) { return 1 + 2 * p.x - p.y + 3 * p.z; };
    const SparseField field = test::field_of({{-3, -3, -3}, {3, 3, 3}}, 0.25, value);
    const FieldReader reader(field);
    for (const Vec3d& p : {Vec3d{0.1, 0.2, 0.3}, Vec3d{-1.99, 1.95, 0}, Vec3d{2, -0.01, -2.3}})
        EXPECT_NEAR(reader.at(p), value(p), 1e-5);
    EXPECT_EQ(reader.at({1e12, 0, 0}), field.outside);
}

} // namespace
} // namespace loam
