#include "surface/ply.h"

#include <fstream>

#include <gtest/gtest.h>

#include "cache/test_support.h"
#include "particles/mesh/mesh.h"

namespace loam {
namespace {

SurfaceMesh tetrahedron() {
    SurfaceMesh mesh{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                     .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
                     .body = {0, 1, 0, 1},
                     .columns = {{"velocity", "m/s", 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}},
                                 {"saturation", "", 1, {0.1f, 0.2f, 0.3f, 0.4f}}}};
    compute_normals(mesh);
    return mesh;
}

TEST(Ply, ComesBackAsItWas) {
    const test::Scratch scratch;
    const SurfaceMesh mesh = tetrahedron();
    const SurfaceHeader header{
        .frame = 12, .time = 0.48, .cell = 0.01, .method = "anisotropic", .bodies = {"the sea", "b"}};
    ASSERT_TRUE(write_surface(scratch / "a.ply", mesh, header));
    const Result<SurfaceFile> back = read_surface(scratch / "a.ply");
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->mesh.vertices, mesh.vertices);
    EXPECT_EQ(back->mesh.normals, mesh.normals);
    EXPECT_EQ(back->mesh.triangles, mesh.triangles);
    EXPECT_EQ(back->mesh.body, mesh.body);
    ASSERT_EQ(back->mesh.columns.size(), 2u);
    EXPECT_EQ(back->mesh.columns[0].values, mesh.columns[0].values);
    EXPECT_EQ(back->mesh.columns[0].unit, "m/s");
    EXPECT_EQ(back->mesh.columns[1].name, "saturation");
    EXPECT_EQ(back->header.frame, 12u);
    EXPECT_EQ(back->header.time, 0.48);
    EXPECT_EQ(back->header.bodies, header.bodies);
    // The reader for shapes takes it too.
    const Result<Mesh> shape = read_mesh(scratch / "a.ply");
    ASSERT_TRUE(shape) << shape.error().text();
    EXPECT_NEAR(signed_volume(*shape), 1.0 / 6, 1e-6);
}

TEST(Ply, DamageIsTold) {
    const test::Scratch scratch;
    ASSERT_TRUE(write_surface(scratch / "a.ply", tetrahedron(), {}));
    const std::string whole = test::slurp(scratch / "a.ply");
    const auto refused = [&](const std::string& bytes) {
        std::ofstream(scratch / "b.ply", std::ios::binary) << bytes;
        return !read_surface(scratch / "b.ply");
    };
    EXPECT_FALSE(refused(whole));
    EXPECT_TRUE(refused(whole.substr(0, whole.size() - 1)));
    EXPECT_TRUE(refused(whole + "x"));
    EXPECT_TRUE(refused(""));
    EXPECT_TRUE(refused("ply\nformat ascii 1.0\nend_header\n"));
    std::string far_corner = whole;
    far_corner[far_corner.size() - 1] = 9;
    EXPECT_TRUE(refused(far_corner));
    std::string many = whole;
    many.replace(many.find("element vertex 4"), 16, "element vertex 99999999999999999");
    EXPECT_TRUE(refused(many));
    EXPECT_FALSE(read_surface(scratch / "none.ply"));
}

} // namespace
} // namespace loam
