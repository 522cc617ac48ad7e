// What is handed to other programs: the points of a frame or the mesh of a surface, in one shape for all formats.
#pragma once

#include <cstring>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "surface/from_frame.h"
#include "surface/mesh.h"

namespace loam {

struct Geometry {
    std::uint64_t frame = 0;
    double time = 0;                 // [s]
    double size = 0;                 // radius of a particle, or cell of the surface [m]
    bool flat = false;               // 2D: lies in the plane z = 0
    std::vector<std::string> bodies; // names; `body` counts into them
    Bounds view;                     // what a camera should see, the same for all frames
    bool is_mesh = false;

    std::vector<Vec3f> positions;
    std::vector<std::uint32_t> body;
    std::vector<std::uint32_t> ids;  // of points; empty: none
    std::vector<float> radii;        // of points [m]
    std::vector<Vec3f> normals;      // of meshes
    std::vector<MeshColumn> columns; // velocity and more
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

// One array per point or vertex: normals, radius, id, body and columns seen alike. Values are 4 bytes each.
struct Attribute {
    std::string name;
    std::string unit;
    std::size_t components = 1;
    bool whole = false; // uint32 instead of float
    const std::byte* values = nullptr;

    const std::byte* row(std::size_t i) const { return values + i * components * 4; }
};
std::vector<Attribute> attributes_of(const Geometry& geometry);

Result<Geometry> points_of(const Frame& frame, const FrameChoice& choice);

// From the file that `loam surface` wrote.
Result<Geometry> read_mesh_geometry(const std::filesystem::path& surface);

// Appends the bytes of a number to a text as they stand in memory.
template <class T> void put_bytes(std::string& to, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    to.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

} // namespace loam
