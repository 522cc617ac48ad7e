// Triangle meshes that a surface method makes: closed, manifold, outward-facing, with values at their vertices.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/vec.h"

namespace loam {

// A named value per vertex, such as velocity or temperature.
struct MeshColumn {
    std::string name;
    std::string unit;
    int components = 1; // 1 or 3
    std::vector<float> values;
};

struct SurfaceMesh {
    std::vector<Vec3f> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles; // counter-clockwise seen from outside
    std::vector<Vec3f> normals;                          // outward, of unit length
    std::vector<std::uint32_t> body;                     // of the nearest particle
    std::vector<MeshColumn> columns;

    const MeshColumn* find(std::string_view name) const {
        for (const MeshColumn& column : columns)
            if (column.name == name) return &column;
        return nullptr;
    }
};

double area(const SurfaceMesh& mesh);
double enclosed_volume(const SurfaceMesh& mesh);

// Every edge has exactly two triangles, which run along it in opposite directions, and every vertex has one fan of
// triangles.
struct Topology {
    bool closed = true;         // every edge has as many triangles on one side as on the other
    bool manifold = true;       // no edge has more than two triangles, no vertex more than one fan
    std::int64_t euler = 0;     // vertices in use - edges + triangles
    std::size_t components = 0; // connected pieces
    std::size_t degenerate = 0; // triangles with two equal corners or without area
};
Topology topology(const SurfaceMesh& mesh);

// The connected piece to which each vertex belongs; pieces are numbered in the order of their first vertices.
std::vector<std::uint32_t> connected_pieces(const SurfaceMesh& mesh, std::size_t& count);

// Means of the triangles around each vertex, weighted by area.
void compute_normals(SurfaceMesh& mesh);

} // namespace loam
