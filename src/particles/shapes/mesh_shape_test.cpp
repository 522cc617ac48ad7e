#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>

#include "particles/mesh/triangle_tree.h"
#include "particles/sampling.h"
#include "particles/shapes/shape_test_help.h"

namespace loam {
namespace {

using namespace test;

Mesh icosphere(int splits) {
    const double g = std::numbers::phi;
    Mesh m{{{-1, g, 0},
            {1, g, 0},
            {-1, -g, 0},
            {1, -g, 0},
            {0, -1, g},
            {0, 1, g},
            {0, -1, -g},
            {0, 1, -g},
            {g, 0, -1},
            {g, 0, 1},
            {-g, 0, -1},
            {-g, 0, 1}},
           {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
            {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
            {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    for (int split = 0; split < splits; ++split) {
        std::vector<Triangle> finer;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
        const auto middle = [&](std::uint32_t a, std::uint32_t b) {
            const auto [place, is_new] = middles.try_emplace({std::min(a, b), std::max(a, b)}, m.vertices.size());
            if (is_new) m.vertices.push_back(m.vertices[a] + m.vertices[b]);
            if (is_new) m.vertices.back() = normalized(m.vertices.back());
            return place->second;
        };
        for (Vec3d& v : m.vertices) v = normalized(v);
        for (const auto& [a, b, c] : m.triangles) {
            const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {Triangle{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        m.triangles = std::move(finer);
    }
    return m;
}

// A mesh as an OBJ file that goes away with the test.
class MeshFile {
public:
    explicit MeshFile(const Mesh& mesh, const std::string& name) : name_(name) {
        std::ofstream out(testing::TempDir() + name);
        out.precision(12);
        for (const Vec3d& v : mesh.vertices) out << "v " << v.x << " " << v.y << " " << v.z << "\n";
        for (const Triangle& t : mesh.triangles) out << "f " << t[0] + 1 << " " << t[1] + 1 << " " << t[2] + 1 << "\n";
    }
    ~MeshFile() { std::filesystem::remove(testing::TempDir() + name_); }
    Result<ShapePtr> shape(double spacing, Given given = {}) const {
        given.emplace_back("file", name_);
        return try_make("mesh", given, {testing::TempDir(), 3, spacing});
    }

private:
    std::string name_;
};

TEST(TriangleTree, DistanceAndWindingNumberOfABall) {
    const TriangleTree tree(icosphere(4));
    Sequence random(2);
    for (int i = 0; i < 2000; ++i) {
        const Vec3d p = random_in(random, {{-2, -2, -2}, {2, 2, 2}});
        EXPECT_NEAR(tree.distance(p, 1e300), std::abs(length(p) - 1), 3e-3);
        if (std::abs(length(p) - 1) > 5e-3) {
            EXPECT_NEAR(tree.winding_number(p), length(p) < 1 ? 1 : 0, 0.1);
        }
    }
}

TEST(MeshShape, BallIsAsTheExactOne) {
    const MeshFile file(icosphere(4), "loam_ball.obj");
    const double spacing = 0.05;
    const Result<ShapePtr> shape = file.shape(spacing);
    ASSERT_TRUE(shape) << shape.error().text();
    Sequence random(4);
    for (int i = 0; i < 5000; ++i) {
        const Vec3d p = random_in(random, {{-1.19, -1.19, -1.19}, {1.19, 1.19, 1.19}});
        const double exact = length(p) - 1;
        if (std::abs(exact) < 1.9 * spacing) {
            EXPECT_NEAR((*shape)->distance(p), exact, 0.06 * spacing);
            EXPECT_GT(dot((*shape)->normal(p), normalized(p)), 0.998);
        } else {
            EXPECT_NEAR((*shape)->distance(p), exact, 0.15 * std::abs(exact) + spacing);
        }
    }
    for (const double far : {3.0, 10.0, 1e6}) { // a lower bound
        EXPECT_LE((*shape)->distance({far, 0.2, 0}), far - 0.9);
        EXPECT_GE((*shape)->distance({far, 0.2, 0}), 0.7 * (far - 1.5));
    }
    const auto points = fill(**shape, spacing, 3);
    const double volume = 4.0 / 3 * std::numbers::pi / std::pow(spacing, 3);
    double filled = 0;
    for (const FillPoint& point : *points) filled += point.share;
    EXPECT_NEAR(filled / volume, 1, 0.015);
}

TEST(MeshShape, PlacedByItsProperties) {
    const MeshFile file(icosphere(3), "loam_placed.obj");
    const Result<ShapePtr> shape =
        file.shape(0.05, {{"size", 0.6}, {"centered", true}, {"translate", Vec3d{1, 2, 3}}, {"up", std::string("z")}});
    ASSERT_TRUE(shape) << shape.error().text();
    EXPECT_LT((*shape)->distance({1, 2, 3}), -0.1); // a bound in the middle, accurate near the surface
    EXPECT_NEAR((*shape)->distance({1.25, 2, 3}), -0.05, 0.005);
    EXPECT_NEAR((*shape)->bounds().hi.x, 1.3, 0.01);
}

TEST(MeshShape, HolesAreRefusedOrRepaired) {
    Mesh open = icosphere(3);
    open.triangles.erase(open.triangles.begin() + 100, open.triangles.begin() + 101);
    const MeshFile file(open, "loam_open.obj");
    const Result<ShapePtr> refused = file.shape(0.05);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "file");
    EXPECT_NE(refused.error().what.find("3 open edges, the first from ("), std::string::npos) << refused.error().text();
    const Result<ShapePtr> repaired = file.shape(0.05, {{"repair", true}});
    ASSERT_TRUE(repaired) << repaired.error().text();
    EXPECT_NEAR((*repaired)->distance({0, 0.9, 0}), -0.1, 0.01);
    const double volume = 4.0 / 3 * std::numbers::pi / std::pow(0.05, 3);
    EXPECT_NEAR(static_cast<double>(fill(**repaired, 0.05, 3)->size()) / volume, 1, 0.02);
}

TEST(MeshShape, InsideOutIsTurned) {
    Mesh turned = icosphere(2);
    for (Triangle& t : turned.triangles) std::swap(t[0], t[1]);
    const MeshFile file(turned, "loam_turned.obj");
    const Result<ShapePtr> shape = file.shape(0.05);
    ASSERT_TRUE(shape);
    EXPECT_LT((*shape)->distance({0, 0, 0}), -0.8);
}

TEST(MeshShape, TooSmallOrMissing) {
    const MeshFile file(icosphere(1), "loam_small.obj");
    EXPECT_EQ(file.shape(0.05, {{"scale", 1e-3}}).error().where, "scale");
    EXPECT_EQ(try_make("mesh", {{"file", std::string("not/there.obj")}}).error().fault, Fault::file);
    EXPECT_EQ(try_make("mesh", {}).error().where, "file");
}

} // namespace
} // namespace loam
