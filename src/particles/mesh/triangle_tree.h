// A tree of boxes over triangles: the nearest point of a mesh, and how often the mesh winds around a point.
#pragma once

#include <vector>

#include "particles/mesh/mesh.h"

namespace loam {

class TriangleTree {
public:
    explicit TriangleTree(const Mesh& mesh);

    // Distance to the mesh; `at_most` is known to be no less than it.
    double distance(const Vec3d& at, double at_most) const;

    struct Nearest {
        std::uint32_t triangle = 0; // of the mesh
        Vec3d weights;              // of its corners
        Vec3d point;
    };
    Nearest nearest(const Vec3d& at) const;

    // Generalized winding number: 1 inside of a closed mesh with triangles counterclockwise from outside, 0 outside.
    // Far parts are summed as dipoles (Barill et al. 2018, "Fast winding numbers for soups and clouds", order 1).
    double winding_number(const Vec3d& at) const;

private:
    struct Corners {
        Vec3d a, b, c;
        std::uint32_t triangle = 0;
    };
    template <class Visit> void approach(const Vec3d& at, double& best, const Visit& visit) const;
    struct Node {
        Bounds bounds;
        Vec3d dipole, center; // sum of the triangles' area vectors, at their area-weighted middle
        double radius = 0;    // of a ball about `center` that holds them all
        std::uint32_t begin = 0, end = 0;
        std::uint32_t right = 0; // the left child follows its parent; 0 for a leaf
    };

    std::uint32_t build(std::uint32_t begin, std::uint32_t end);
    void summarize(Node& node) const;

    std::vector<Corners> triangles_;
    std::vector<Node> nodes_;
};

} // namespace loam
