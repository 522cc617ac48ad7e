// How a surface passes through a cube, given which corners are inside: marching cubes (Lorensen & Cline 1987) with its
// table computed instead of written down.
//
//   - Where the corners of a face are inside and outside in turn, the surface can cross that face in two ways. The
//     asymptotic decider (Nielson & Hamann 1991) chooses from the four values, so the cubes on both sides agree and no
//     crack opens.
//   - Loops of more than three edges are cut into triangles by diagonals that never lie in a face of the cube. A
//     diagonal in a face could coincide with one of the cube behind it, and that edge would have four triangles. Where
//     this is impossible, the triangles meet in a vertex at the middle of the loop.
//   So every edge of the mesh has exactly two triangles and every vertex one fan: the mesh is closed and manifold.
//
//        corner = x + 2y + 4z       edges 0-3 along x from corners 0 2 4 6, 4-7 along y from 0 1 4 5, 8-11 along z from
//                                   0 1 2 3
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loam {

inline constexpr std::array<std::array<std::uint8_t, 2>, 12> cube_edges{
    {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
// Corners counter-clockwise seen from outside; faces -x +x -y +y -z +z.
inline constexpr std::array<std::array<std::uint8_t, 4>, 6> cube_faces{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

class MarchTable {
public:
    struct Case {
        // Three numbers each: an edge (0-11), or 12 + the number of a middle.
        std::vector<std::uint8_t> triangles;
        std::vector<std::vector<std::uint8_t>> middles; // edges of the loops that need one
    };

    static const MarchTable& instance(); // computed once

    // corners: bit c says that corner c is inside. Bit f of the result says that face f can be crossed in two ways.
    unsigned doubtful_faces(unsigned corners) const { return doubtful_[corners]; }
    // joined: bit f says that on the doubtful face f the inside corners are connected.
    const Case& at(unsigned corners, unsigned joined) const { return cases_[index_[corners | joined << 8]]; }

private:
    MarchTable();

    std::array<std::uint8_t, 256> doubtful_{};
    std::vector<std::uint16_t> index_;
    std::vector<Case> cases_;
};

} // namespace loam
