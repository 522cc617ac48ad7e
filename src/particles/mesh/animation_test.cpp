#include "particles/mesh/animation.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "particles/shapes/animated_mesh.h"

namespace loam {
namespace {

// Numbers behind each other, as a file beside the glTF.
class Buffer {
public:
    template <class Number> std::string add(const std::vector<Number>& numbers, const char* type, int width, int kind) {
        bytes_.resize((bytes_.size() + 3) / 4 * 4);
        const std::size_t begin = bytes_.size(), size = numbers.size() * sizeof(Number);
        bytes_.resize(begin + size);
        std::memcpy(bytes_.data() + begin, numbers.data(), size);
        views += fmt::format(R"({}{{"buffer": 0, "byteOffset": {}, "byteLength": {}}})", views.empty() ? "" : ", ",
                             begin, size);
        accessors += fmt::format(R"({}{{"bufferView": {}, "componentType": {}, "count": {}, "type": "{}"}})",
                                 accessors.empty() ? "" : ", ", count_, kind,
                                 numbers.size() / static_cast<std::size_t>(width), type);
        return std::to_string(count_++);
    }
    std::string floats(const std::vector<float>& numbers, const char* type, int width) {
        return add(numbers, type, width, 5126);
    }
    void write(const std::string& path) const { std::ofstream(path, std::ios::binary) << bytes_; }
    std::size_t size() const { return bytes_.size(); }

    std::string views, accessors;

private:
    std::string bytes_;
    int count_ = 0;
};

// A tetrahedron with two joints: the second, at [0, 1, 0], turns by a quarter about z in one second, and carries the
// top. The whole is moved by [0, 0, 5]; a morph lifts the first corner by 2 over that second.
std::string write_figure(const std::string& folder) {
    Buffer b;
    const std::string position = b.floats({0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0}, "VEC3", 3);
    const std::string joints =
        b.add(std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4, 5121);
    const std::string weights = b.floats({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
    const std::string corners =
        b.add(std::vector<std::uint16_t>{0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0}, "SCALAR", 1, 5123);
    const std::string morph = b.floats({0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC3", 3);
    const std::string inverse = b.floats(
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1}, "MAT4", 16);
    const std::string times = b.floats({0, 1}, "SCALAR", 1);
    const auto half = static_cast<float>(std::numbers::sqrt2 / 2);
    const std::string turn = b.floats({0, 0, 0, 1, 0, 0, half, half}, "VEC4", 4);
    const std::string lift = b.floats({0, 1}, "SCALAR", 1);
    b.write(folder + "/figure.bin");
    return fmt::format(R"({{"asset": {{"version": "2.0"}},
 "nodes": [{{"translation": [0, 0, 5], "children": [1]}}, {{"translation": [0, 1, 0]}}, {{"mesh": 0, "skin": 0}}],
 "meshes": [{{"primitives": [{{"attributes": {{"POSITION": {}, "JOINTS_0": {}, "WEIGHTS_0": {}}}, "indices": {},
   "targets": [{{"POSITION": {}}}]}}], "weights": [0]}}],
 "skins": [{{"joints": [0, 1], "inverseBindMatrices": {}}}],
 "animations": [{{"samplers": [{{"input": {}, "output": {}}}, {{"input": {}, "output": {}}}],
   "channels": [{{"sampler": 0, "target": {{"node": 1, "path": "rotation"}}}}, {{"sampler": 1, "target": {{"node": 2, "path": "weights"}}}}]}}],
 "buffers": [{{"uri": "figure.bin", "byteLength": {}}}], "bufferViews": [{}], "accessors": [{}]}})",
                       position, joints, weights, corners, morph, inverse, times, turn, times, lift, b.size(), b.views,
                       b.accessors);
}

void expect_near(const Vec3d& found, const Vec3d& expected, double tolerance = 1e-6) {
    for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(found[axis], expected[axis], tolerance) << "axis " << axis;
}

TEST(Animation, GltfBendsBySkinAndMorph) {
    const std::string folder = ::testing::TempDir();
    const auto figure = parse_gltf(write_figure(folder), "figure.gltf", folder);
    ASSERT_TRUE(figure) << figure.error().text();
    EXPECT_EQ((*figure)->triangles().size(), 4u);
    EXPECT_DOUBLE_EQ((*figure)->duration(), 1);
    expect_near((*figure)->vertices(0)[3], {0, 2, 5});
    const std::vector<Vec3d> half = (*figure)->vertices(0.5), end = (*figure)->vertices(1);
    expect_near(half[0], {0, 1, 5}); // by the morph
    expect_near(half[3], {-std::numbers::sqrt2 / 2, 1 + std::numbers::sqrt2 / 2, 5});
    expect_near(end[3], {-1, 1, 5}); // a quarter turn
    expect_near(end[1], {1, 0, 5});
}

double volume_of(const MeshAnimation& animation) {
    return signed_volume({animation.vertices(0), animation.triangles()});
}

// What other programs write: numbers that are zero but for some, strips and fans, mirrored nodes, meshes of other
// scenes, more than four joints at a vertex, several skins, names with blanks, integers for places.
TEST(Animation, GltfOfOtherPrograms) {
    const std::string folder = ::testing::TempDir();
    Buffer b;
    const std::string indices = b.add(std::vector<std::uint16_t>{1, 2, 3}, "SCALAR", 1, 5123);
    const std::string values = b.floats({1, 0, 0, 0, 0, 1, 0, 1, 0}, "VEC3", 3);
    const std::string strip = b.add(std::vector<std::uint8_t>{0, 1, 2, 3, 0, 1}, "SCALAR", 1, 5121);
    const std::string fan = b.add(std::vector<std::uint8_t>{3, 1, 0, 2, 1}, "SCALAR", 1, 5121);
    const std::string base = b.add(std::vector<std::uint8_t>{0, 2, 1}, "SCALAR", 1, 5121);
    const std::string whole = b.add(std::vector<std::int16_t>{0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 2, 0}, "VEC3", 3, 5122);
    const std::vector<std::uint8_t> none(16, 0);
    const std::string joints = b.add(none, "VEC4", 4, 5121);
    const std::string four = b.floats(std::vector<float>(16, 0.15F), "VEC4", 4);
    const std::string fifth = b.floats({.4F, 0, 0, 0, .4F, 0, 0, 0, .4F, 0, 0, 0, .4F, 0, 0, 0}, "VEC4", 4);
    const std::string last =
        b.add(std::vector<std::uint8_t>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4, 5121);
    b.write(folder + "/odd name.bin");
    const std::string sparse = fmt::format(
        R"({{"componentType": 5126, "count": 4, "type": "VEC3", "sparse": {{"count": 3,
           "indices": {{"bufferView": {}, "componentType": 5123}}, "values": {{"bufferView": {}}}}}}})",
        indices, values);
    const auto file = [&](const std::string& nodes, const std::string& primitives) {
        const auto read = parse_gltf(
            fmt::format(R"({{"asset": {{"version": "2.0"}}, "scene": 0, "scenes": [{{"nodes": [0]}}, {{"nodes": [1]}}],
 "nodes": [{}], "skins": [{{"joints": [1, 0]}}, {{"joints": [1, 2]}}], "meshes": [{{"primitives": [{}]}}],
 "buffers": [{{"uri": "odd%20name.bin", "byteLength": {}}}], "bufferViews": [{}], "accessors": [{}, {}]}})",
                        nodes, primitives, b.size(), b.views, b.accessors, sparse),
            "odd.gltf", folder);
        EXPECT_TRUE(read) << read.error().text();
        return read ? *read : nullptr;
    };
    const std::string two_nodes = R"({"mesh": 0}, {"mesh": 0, "translation": [9, 9, 9]}, {})";
    const std::string by_strip = R"({"mode": 5, "attributes": {"POSITION": 10}, "indices": )" + strip + "}";
    auto made = file(two_nodes, by_strip);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->vertices(0).size(), 4u); // the other node is in another scene
    EXPECT_EQ(made->triangles().size(), 4u);
    expect_near(made->vertices(0)[3], {0, 1, 0});
    const double volume = volume_of(*made);
    EXPECT_NEAR(std::abs(volume), 1.0 / 6, 1e-6); // all faces look the same way
    made = file(R"({"mesh": 0, "scale": [-2, 1, 1]}, {}, {})", by_strip);
    ASSERT_TRUE(made);
    EXPECT_NEAR(volume_of(*made), 2 * volume, 1e-6); // mirrored, but not inside out
    made = file(two_nodes, R"({"mode": 6, "attributes": {"POSITION": 10}, "indices": )" + fan +
                               R"(}, {"attributes": {"POSITION": 10}, "indices": )" + base + "}");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->triangles().size(), 4u);
    made = file(R"({"children": [1], "translation": [0, 0, 3]}, {"mesh": 0}, {})",
                R"({"mode": 0, "attributes": {"POSITION": 10}}, {"mode": 5, "attributes": {"POSITION": )" + whole +
                    R"(}, "indices": )" + strip + "}");
    ASSERT_TRUE(made);
    expect_near(made->vertices(0)[1], {2, 0, 3});
    // Six tenths by the joint at [0, 0, 5], four by that at [0, 1, 5].
    made = file(
        R"({"translation": [0, 0, 5], "children": [1, 2]}, {"translation": [0, 0, 0]}, {"translation": [0, 1, 0], "mesh": 0, "skin": 1})",
        fmt::format(R"({{"mode": 5, "indices": {}, "attributes": {{"POSITION": 10, "JOINTS_0": {}, "WEIGHTS_0": {},
                     "JOINTS_1": {}, "WEIGHTS_1": {}}}}})",
                    strip, joints, four, last, fifth));
    ASSERT_TRUE(made);
    expect_near(made->vertices(0)[1], {1, 0.4, 5});
    // A chain of nodes, the last one first, takes no time.
    std::string chain = R"({"mesh": 0})";
    constexpr int links = 20000;
    for (int k = 1; k < links; ++k) chain += fmt::format(R"(, {{"children": [{}]}})", k - 1);
    std::string text =
        fmt::format(R"({{"asset": {{"version": "2.0"}}, "nodes": [{}], "meshes": [{{"primitives": [{}]}}],
 "buffers": [{{"uri": "odd%20name.bin"}}], "bufferViews": [{}], "accessors": [{}, {}]}})",
                    chain, by_strip, b.views, b.accessors, sparse);
    EXPECT_TRUE(parse_gltf(text, "chain.gltf", folder));
    text.insert(1, R"("extensionsRequired": ["KHR_draco_mesh_compression"], )");
    const auto packed = parse_gltf(text, "packed.gltf", folder);
    ASSERT_FALSE(packed);
    EXPECT_NE(packed.error().what.find("KHR_draco_mesh_compression"), std::string::npos);
}

TEST(Animation, DamagedGltfEndsInAMessage) {
    const std::string folder = ::testing::TempDir(), good = write_figure(folder);
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"2.0\"", "\"1.0\""},
                                   {"\"nodes\": [{", "\"nodes\": [{\"children\": [0], \"x\": {"},
                                   {"\"skin\": 0", "\"skin\": 7"},
                                   {"\"POSITION\": 0", "\"POSITION\": 99"},
                                   {"\"indices\": 3", "\"indices\": 0"},
                                   {"figure.bin", "nothing.bin"},
                                   {"\"count\": 4", "\"count\": 400000"},
                                   {"\"type\": \"VEC3\"", "\"type\": \"MAT2\""}}) {
        std::string text = good;
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        const auto bad = parse_gltf(text, "figure.gltf", folder);
        ASSERT_FALSE(bad) << to;
        EXPECT_FALSE(bad.error().what.empty());
    }
    for (std::size_t cut = 0; cut < good.size(); cut += 7)
        EXPECT_FALSE(parse_gltf(good.substr(0, cut), "figure.gltf", folder));
    EXPECT_FALSE(parse_gltf(std::string("glTF\2\0\0\0\377\0\0\0\377\377\377\377JSON", 20), "x.glb", folder));
}

// A cube that is moved along x, one OBJ per frame.
void write_cubes(const std::string& folder, const std::vector<double>& places) {
    for (std::size_t k = 0; k < places.size(); ++k) {
        std::ofstream file(fmt::format("{}/cube_{:02}.obj", folder, k));
        for (int corner = 0; corner < 8; ++corner)
            file << fmt::format("v {} {} {}\n", places[k] + (corner & 1), corner >> 1 & 1, corner >> 2);
        for (const char* face : {"1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"})
            file << "f " << face << "\n";
    }
}

TEST(Animation, SequenceIsSmoothAndRepeats) {
    const std::string folder = ::testing::TempDir();
    write_cubes(folder, {0, 1, 2, 3, 4});
    const auto once = read_animation(folder + "/cube_##.obj", 10, false);
    ASSERT_TRUE(once) << once.error().text();
    EXPECT_DOUBLE_EQ((*once)->duration(), 0.4);
    EXPECT_NEAR((*once)->vertices(0.15)[0].x, 1.5, 1e-12);
    EXPECT_NEAR((*once)->vertices(9)[0].x, 4, 1e-12);
    const auto loop = read_animation(folder + "/cube_##.obj", 10, true);
    EXPECT_DOUBLE_EQ((*loop)->duration(), 0.5);
    EXPECT_NEAR((*loop)->vertices(0.5)[0].x, 0, 1e-12); // at the end it is where it began
    std::ofstream(folder + "/cube_02.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto other = read_animation(folder + "/cube_##.obj", 10, false);
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().what.find("other triangles"), std::string::npos);
    EXPECT_FALSE(read_animation(folder + "/cone_##.obj", 10, false));
    EXPECT_FALSE(read_animation(folder + "/cone.abc", 10, false));
}

TEST(Animation, SurfaceMovesAndCarries) {
    const std::string folder = ::testing::TempDir();
    write_cubes(folder, {0, 1, 2, 3, 4});
    const auto animation = read_animation(folder + "/cube_##.obj", 10, false);
    ASSERT_TRUE(animation);
    const AnimatedMesh cube(*animation, {.begin = 1, .speed = 0.5, .repeats = false}, {}, false);
    EXPECT_NEAR(cube.distance({0.5, 0.5, 0.5}), -0.5, 1e-9);
    EXPECT_NEAR(cube.at(0.7)->distance({-1, 0.5, 0.5}), 1, 1e-9); // it stands until 1 s
    const MeshMomentPtr later = cube.at(1.4);                     // 0.2 s of the file
    EXPECT_NEAR(later->distance({2.5, 0.5, 0.9}), -0.1, 1e-9);
    EXPECT_NEAR(later->distance({4, 0.5, 0.5}), 1, 1e-9);
    expect_near(later->normal({2.5, 0.5, 0.9}), {0, 0, 1});
    expect_near(later->normal({2.5, 0.5, 1.4}), {0, 0, 1});
    expect_near(later->velocity({2.5, 0.5, 0.9}), {5, 0, 0}, 1e-6); // 10 m/s in the file, half as fast
    expect_near(cube.at(5)->velocity({4.5, 0.5, 0.9}), {0, 0, 0});
    EXPECT_NEAR(cube.top_speed(), 5, 0.5);
    const std::vector<Vec3d> points{{0.25, 0.5, 0.9}, {1.3, 0.5, 0.5}};
    const std::vector<Anchor> anchors = cube.anchored(points);
    for (std::size_t k = 0; k < 2; ++k) {
        const CarriedPoint carried = AnimatedMesh::carried(anchors[k], *later);
        expect_near(carried.position, points[k] + Vec3d{2, 0, 0}, 1e-9);
        expect_near(carried.velocity, {5, 0, 0}, 1e-6);
    }
}

// Keys at the same time, or STEP: it is somewhere else, and pushes nothing on the way.
TEST(Animation, JumpsAreNoMotion) {
    const std::string folder = ::testing::TempDir();
    Buffer b;
    b.floats({0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0}, "VEC3", 3);
    b.add(std::vector<std::uint16_t>{0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0}, "SCALAR", 1, 5123);
    b.floats({0, 0.5F, 0.5F, 1}, "SCALAR", 1);
    b.floats({0, 0, 0, 1, 0, 0, 7, 0, 0, 8, 0, 0}, "VEC3", 3);
    b.write(folder + "/jump.bin");
    const auto animation = parse_gltf(fmt::format(R"({{"asset": {{"version": "2.0"}}, "nodes": [{{"mesh": 0}}],
 "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
 "animations": [{{"samplers": [{{"input": 2, "output": 3}}], "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "translation"}}}}]}}],
 "buffers": [{{"uri": "jump.bin"}}], "bufferViews": [{}], "accessors": [{}]}})",
                                                  b.views, b.accessors),
                                      "jump.gltf", folder);
    ASSERT_TRUE(animation) << animation.error().text();
    const AnimatedMesh jumps(*animation, {.begin = 0, .speed = 2, .repeats = false}, {}, false);
    EXPECT_NEAR(jumps.top_speed(), 4, 1e-6);
    for (const double time : {0.2, 0.24999, 0.25, 0.25001, 0.3})
        expect_near(jumps.at(time)->velocities()[0], {4, 0, 0}, 1e-6);
}

} // namespace
} // namespace loam
