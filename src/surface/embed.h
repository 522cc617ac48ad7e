// Embedded meshes (L 2.9-2.11, after Müller et al. 2004): a detailed mesh follows the particles of a deformable body.
//
//   v_i = sum_j W_ij (y_j + F_j (x_i - x_j))      W_ij = W(x_i - x_j) / sum_k W(x_i - x_k),  W = (1 - r^2 / h^2)^3
//
//   x_i, v_i   a vertex at rest and now            x_j, y_j   a particle at rest and now
//   F_j        deformation around particle j: the linear map that fits best, in the sense of least squares weighted by
//   W,
//              how its neighbors at rest have moved (I + grad u_j of L 2.9)
//
// Any linear motion of the particles, rotation and stretching included, moves the mesh exactly the same. Where
// particles lie in a plane or on a line the missing directions turn with the others.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/eigen3.h"
#include "base/result.h"
#include "base/vec.h"

namespace loam {

class EmbeddedMesh {
public:
    // Links vertices to particles at rest. Vertices further than two spacings from all particles follow the nearest
    // ones. An error when there are no particles, or a place is not a number.
    static Result<EmbeddedMesh> create(std::span<const Vec3d> vertices, std::span<const Vec3d> particles,
                                       double spacing);

    std::size_t vertex_count() const { return rest_vertices_.size(); }
    std::size_t particle_count() const { return rest_particles_.size(); }

    // Where the vertices are when the particles (in the order of create) are here.
    std::vector<Vec3d> deformed(std::span<const Vec3d> particles) const;

private:
    struct Link {
        std::uint32_t particle;
        float weight;
    };
    // Links of vertices or particles, one list after the other.
    struct Links {
        std::vector<std::uint32_t> first{0};
        std::vector<Link> links;
        std::span<const Link> of(std::size_t i) const { return {links.data() + first[i], first[i + 1] - first[i]}; }
        void close_list() { first.push_back(static_cast<std::uint32_t>(links.size())); }
    };
    struct Matrix {
        Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1}; // columns
        Vec3d operator*(const Vec3d& v) const { return v.x * x + v.y * y + v.z * z; }
    };

    Matrix deformation(std::size_t particle, std::span<const Vec3d> now) const;

    std::vector<Vec3d> rest_vertices_, rest_particles_;
    Links vertex_links_, particle_links_;
    std::vector<Eigen3> rest_shapes_; // principal axes of each particle's neighborhood at rest
};

} // namespace loam
