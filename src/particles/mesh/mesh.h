// Triangle meshes as they come from files: OBJ, PLY (ascii, both binaries), STL (ascii, binary).
//
// The readers trust nothing: a count in a header is never used to allocate, indices are checked, numbers must be
// finite, and an error says where in the file it is.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/vec.h"

namespace loam {

using Triangle = std::array<std::uint32_t, 3>;

struct Mesh {
    std::vector<Vec3d> vertices;
    std::vector<Triangle> triangles;

    Bounds bounds() const; // of the vertices that triangles use
};

// By the name's ending, or by the first bytes when the ending says nothing. `where` of errors: the file with the line,
// or with the byte for binary files.
Result<Mesh> read_mesh(const std::string& path);

enum class MeshFormat { obj, ply, stl };
Result<Mesh> parse_mesh(std::string_view bytes, MeshFormat format, const std::string& name);
Result<Mesh> parse_obj(std::string_view bytes, const std::string& name);
Result<Mesh> parse_ply(std::string_view bytes, const std::string& name);
Result<Mesh> parse_stl(std::string_view bytes, const std::string& name);

// Vertices at the same place become one; triangles that lose a corner by that go.
void weld(Mesh& mesh);

// Edges that do not have as many triangles on one side as on the other: the rims of holes, and seams where triangles
// are turned the wrong way round. A mesh without any encloses a volume.
struct OpenEdges {
    std::vector<std::array<std::uint32_t, 2>> edges; // in the direction of the missing triangles
};
OpenEdges open_edges(const Mesh& mesh);

// Closes the rims, each with a fan of triangles about its middle. Afterwards there are no open edges: rims always form
// closed loops.
void close(Mesh& mesh, const OpenEdges& open);

double signed_volume(const Mesh& mesh);

} // namespace loam
