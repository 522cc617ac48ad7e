#include "particles/mesh/mesh.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "particles/hash.h"

namespace loam {
namespace {

const char* const cube_obj = R"(# a cube with quads, normals and texture coordinates left out
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
g sides
f 1 4 3 2
f 5//1 6//1 7//1 8//1
f 1/1/1 2/2/2 6/3/3 5/4/4
f -6 -5 -1 -2
f 1 5 8 4
f 2 3 7 6
)";

template <class T> void put(std::string& out, T value, bool big) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (big) std::reverse(raw, raw + sizeof(T));
    out.append(raw, sizeof(T));
}

std::string as_ply(const Mesh& mesh, const std::string& format) {
    std::string out = "ply\nformat " + format + " 1.0\ncomment made by a test\nelement vertex " +
                      std::to_string(mesh.vertices.size()) +
                      "\nproperty float x\nproperty double y\nproperty float z\nproperty uchar red\nelement face " +
                      std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
    const bool text = format == "ascii", big = format == "binary_big_endian";
    for (const Vec3d& v : mesh.vertices) {
        if (text)
            out += std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + " 255\n";
        else
            put(out, float(v.x), big), put(out, v.y, big), put(out, float(v.z), big), out += '\xff';
    }
    for (const Triangle& t : mesh.triangles) {
        if (text)
            out += "3 " + std::to_string(t[0]) + " " + std::to_string(t[1]) + " " + std::to_string(t[2]) + "\n";
        else
            out += '\3', put(out, int(t[0]), big), put(out, int(t[1]), big), put(out, int(t[2]), big);
    }
    return out;
}

std::string as_stl(const Mesh& mesh, bool text) {
    std::string out = text ? "solid test\n" : std::string(80, ' ');
    if (!text) put(out, std::uint32_t(mesh.triangles.size()), false);
    for (const Triangle& t : mesh.triangles) {
        out += text ? "facet normal 0 0 0\n outer loop\n" : std::string(12, '\0');
        for (const std::uint32_t corner : t) {
            const Vec3d& v = mesh.vertices[corner];
            if (text)
                out += "  vertex " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
            else
                put(out, float(v.x), false), put(out, float(v.y), false), put(out, float(v.z), false);
        }
        out += text ? " endloop\nendfacet\n" : std::string(2, '\0');
    }
    return text ? out + "endsolid test\n" : out;
}

Mesh cube() { return *parse_obj(cube_obj, "cube.obj"); }

void expect_cube(Result<Mesh> mesh, const std::string& name) {
    ASSERT_TRUE(mesh) << name << ": " << mesh.error().text();
    weld(*mesh);
    EXPECT_EQ(mesh->vertices.size(), 8u) << name;
    EXPECT_EQ(mesh->triangles.size(), 12u) << name;
    EXPECT_TRUE(open_edges(*mesh).edges.empty()) << name;
    EXPECT_NEAR(signed_volume(*mesh), 1, 1e-6) << name;
}

TEST(Mesh, ReadsEveryFormat) {
    expect_cube(parse_obj(cube_obj, "cube.obj"), "obj");
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
        expect_cube(parse_ply(as_ply(cube(), format), "cube.ply"), format);
    expect_cube(parse_stl(as_stl(cube(), true), "cube.stl"), "stl text");
    expect_cube(parse_stl(as_stl(cube(), false), "cube.stl"), "stl binary");
}

TEST(Mesh, ReadsFilesByTheirEnding) {
    const std::string path = testing::TempDir() + "loam_mesh_test.STL";
    std::ofstream(path, std::ios::binary) << as_stl(cube(), false);
    expect_cube(read_mesh(path), "file");
    std::filesystem::remove(path);
    EXPECT_EQ(read_mesh(path).error().fault, Fault::file);
    EXPECT_NE(read_mesh(path).error().what.find("cannot be opened"), std::string::npos);
}

struct Bad {
    std::string bytes;
    MeshFormat format;
    std::string where, what;
};

TEST(Mesh, BadInputGetsAPlaceAndAReason) {
    const std::string ply =
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
    std::string huge = as_stl(cube(), false);
    std::memset(huge.data() + 80, 0xff, 4);
    const std::vector<Bad> all{
        {"v 0 0 0\nv 1 x 0\n", MeshFormat::obj, "m:2", "\"x\" is not a finite number"},
        {"v 0 0 nan\n", MeshFormat::obj, "m:1", "not a finite number"},
        {"v 0 0 0\nf 1 2 3\n", MeshFormat::obj, "m:2", "out of range"},
        {"v 0 0 0\nf 1 -2 1\n", MeshFormat::obj, "m:2", "out of range"},
        {"v 0 0 0\nf 1 1\n", MeshFormat::obj, "m:2", "2 corners"},
        {"v 0 0 0\nf 99999999999999999999 1 1\n", MeshFormat::obj, "m:2", "not an index"},
        {"v 1e30 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\n", MeshFormat::obj, "m", "beyond a million"},
        {"", MeshFormat::obj, "m", "no faces"},
        {"plx\n", MeshFormat::ply, "m:1", "does not start"},
        {"ply\nformat ascii 1.0\n", MeshFormat::ply, "m:2", "end_header"},
        {"ply\nformat huh 1.0\n", MeshFormat::ply, "m:2", "unknown format"},
        {"ply\nelement vertex -1\n", MeshFormat::ply, "m:2", "not a whole number"},
        {"ply\nproperty float x\n", MeshFormat::ply, "m:2", "before any element"},
        {ply + "0 0 0\n1 0 0\n0 inf 0\n3 0 1 2\n", MeshFormat::ply, "m:12", "no finite x, y, z"},
        {ply + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", MeshFormat::ply, "m:13", "out of range"},
        {ply + "0 0 0\n1 0 0\n", MeshFormat::ply, "m:11", "file ends"},
        {ply + "0 0 0\n1 0 0\n0 1 0\n-3 0 1 3\n", MeshFormat::ply, "m:13", "impossible length"},
        {"ply\nformat binary_little_endian 1.0\nelement vertex 18446744073709551615\nproperty float x\nend_header\n",
         MeshFormat::ply, "m: byte 100", "file ends"},
        {"ply\nformat ascii 1.0\nelement junk 18446744073709551615\nend_header\n", MeshFormat::ply, "m", "no faces"},
        {huge, MeshFormat::stl, "m: byte 80", "4294967295 triangles, but there are 12"},
        {"short", MeshFormat::stl, "m: byte 5", "within its header"},
        {"solid\nfacet\nvertex 0 0 0\nvertex 0 1 0\nendloop\n", MeshFormat::stl, "m:5", "2 corners"},
        {"solid\nvertex 0 0\n", MeshFormat::stl, "m:2", "not a finite number"},
    };
    for (const Bad& bad : all) {
        const Result<Mesh> mesh = parse_mesh(bad.bytes, bad.format, "m");
        ASSERT_FALSE(mesh) << bad.what;
        EXPECT_EQ(mesh.error().where, bad.where) << mesh.error().text();
        EXPECT_NE(mesh.error().what.find(bad.what), std::string::npos) << mesh.error().text();
    }
}

TEST(Mesh, CutOffAndDamagedFilesNeverCrash) {
    const std::vector<std::pair<std::string, MeshFormat>> good{{cube_obj, MeshFormat::obj},
                                                               {as_ply(cube(), "ascii"), MeshFormat::ply},
                                                               {as_ply(cube(), "binary_big_endian"), MeshFormat::ply},
                                                               {as_stl(cube(), true), MeshFormat::stl},
                                                               {as_stl(cube(), false), MeshFormat::stl}};
    Sequence random(9);
    int refused = 0;
    for (const auto& [bytes, format] : good)
        for (int i = 0; i < 500; ++i) {
            std::string damaged = bytes.substr(0, static_cast<std::size_t>(random.next(0, double(bytes.size()))));
            for (int j = 0; j < 3 && !damaged.empty(); ++j)
                damaged[static_cast<std::size_t>(random.next(0, double(damaged.size())))] =
                    static_cast<char>(static_cast<int>(random.next(0, 255)));
            Result<Mesh> mesh = parse_mesh(damaged, format, "m");
            if (!mesh)
                ++refused;
            else
                weld(*mesh), close(*mesh, open_edges(*mesh));
        }
    EXPECT_GT(refused, 1000);
}

TEST(Mesh, OpenEdgesAreTheRimAndCanBeClosed) {
    Mesh open = cube();
    open.triangles.resize(10); // one face is gone
    EXPECT_EQ(open_edges(open).edges.size(), 4u);
    close(open, open_edges(open));
    EXPECT_TRUE(open_edges(open).edges.empty());
    EXPECT_NEAR(signed_volume(open), 1, 1e-9);
    Mesh turned = cube();
    std::swap(turned.triangles[0][0], turned.triangles[0][1]);
    EXPECT_EQ(open_edges(turned).edges.size(), 6u); // each edge of it twice in one direction
    close(turned, open_edges(turned));
    EXPECT_TRUE(open_edges(turned).edges.empty());
}

} // namespace
} // namespace loam
