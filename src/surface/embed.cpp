#include "surface/embed.h"

#include <cmath>

#include <fmt/format.h>

#include "base/parallel.h"
#include "surface/cloud.h"

namespace loam {
namespace {

// Directions in which a neighborhood at rest is this much thinner than in its longest, measured by the square of its
// extent, tell nothing about the deformation.
constexpr double least_extent = 1e-4;

double kernel(double r2, double h2) {
    const double t = 1 - r2 / h2;
    return t > 0 ? t * t * t : 0;
}

// The rotation with the shortest way from direction a to direction b (unit vectors), applied to v.
Vec3d turned(const Vec3d& a, const Vec3d& b, const Vec3d& v) {
    const Vec3d axis = cross(a, b);
    const double cosine = dot(a, b);
    if (cosine < -0.999999) return -v; // any turn by half a circle
    return v + cross(axis, v) + cross(axis, cross(axis, v)) / (1 + cosine);
}

Status check(std::span<const Vec3d> points, const char* what) {
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!std::isfinite(dot(points[i], points[i])))
            return Error{Fault::scene, "", fmt::format("the place of {} {} is not a number, or too far away", what, i),
                         ""};
    return Done{};
}

} // namespace

Result<EmbeddedMesh> EmbeddedMesh::create(std::span<const Vec3d> vertices, std::span<const Vec3d> particles,
                                          double spacing) {
    if (particles.empty()) return Error{Fault::scene, "", "a mesh cannot follow a body without particles", ""};
    if (!(spacing > 0)) return Error{Fault::scene, "", fmt::format("the spacing is {}", spacing), "more than 0"};
    for (const Status& good : {check(vertices, "vertex"), check(particles, "particle")})
        if (!good) return good.error();
    EmbeddedMesh mesh;
    mesh.rest_vertices_.assign(vertices.begin(), vertices.end());
    mesh.rest_particles_.assign(particles.begin(), particles.end());
    const SurfaceParticles at_rest{.radius = spacing / 2, .positions = mesh.rest_particles_};
    const Cloud cloud(at_rest, InstructionSet::scalar);
    const auto link_near = [&](const Vec3d& at, double reach, Links& links) {
        const Vec3d margin{reach, reach, reach};
        const std::size_t before = links.links.size();
        cloud.each_in_box(at - margin, at + margin, [&](std::uint32_t i) {
            const std::uint32_t particle = cloud.order()[i];
            const Vec3d way = particles[particle] - at;
            if (const double w = kernel(dot(way, way), reach * reach); w > 0)
                links.links.push_back({particle, static_cast<float>(w)});
        });
        return links.links.size() > before;
    };
    for (const Vec3d& vertex : vertices) {
        for (double reach = 2 * spacing; !link_near(vertex, reach, mesh.vertex_links_); reach *= 1.5) {
        }
        mesh.vertex_links_.close_list();
    }
    for (const Vec3d& particle : particles) {
        link_near(particle, 2 * spacing, mesh.particle_links_);
        mesh.particle_links_.close_list();
    }
    for (std::size_t j = 0; j < particles.size(); ++j) {
        Symmetric3 extent;
        for (const Link& link : mesh.particle_links_.of(j)) {
            const Vec3d d = particles[link.particle] - particles[j], w = link.weight * d;
            extent.xx += w.x * d.x, extent.yy += w.y * d.y, extent.zz += w.z * d.z;
            extent.xy += w.x * d.y, extent.xz += w.x * d.z, extent.yz += w.y * d.z;
        }
        mesh.rest_shapes_.push_back(eigen_of(extent));
    }
    return mesh;
}

EmbeddedMesh::Matrix EmbeddedMesh::deformation(std::size_t particle, std::span<const Vec3d> now) const {
    const Eigen3& rest = rest_shapes_[particle];
    // Where the principal axes at rest have gone: F a_k = sum_j w (y_j - y) ((x_j - x) . a_k) / e_k.
    Vec3d gone[3];
    int known = 0;
    for (int k = 0; k < 3; ++k) {
        if (!(rest.values[k] > least_extent * rest.values[0])) break;
        for (const Link& link : particle_links_.of(particle)) {
            const Vec3d d = rest_particles_[link.particle] - rest_particles_[particle];
            gone[k] += (link.weight * dot(d, rest.vectors[k]) / rest.values[k]) * (now[link.particle] - now[particle]);
        }
        ++known;
    }
    if (known == 0) return {};
    if (known == 1)
        for (int k = 1; k < 3; ++k) gone[k] = turned(rest.vectors[0], normalized(gone[0]), rest.vectors[k]);
    if (known == 2) {
        const double hand = dot(cross(rest.vectors[0], rest.vectors[1]), rest.vectors[2]) < 0 ? -1 : 1;
        gone[2] = hand * normalized(cross(gone[0], gone[1]));
    }
    Matrix result{{}, {}, {}};
    for (int k = 0; k < 3; ++k) {
        const Vec3d& a = rest.vectors[k];
        result.x += a.x * gone[k], result.y += a.y * gone[k], result.z += a.z * gone[k];
    }
    return result;
}

std::vector<Vec3d> EmbeddedMesh::deformed(std::span<const Vec3d> particles) const {
    std::vector<Matrix> deformations(rest_particles_.size());
    parallel_each(deformations.size(), [&](std::size_t j) { deformations[j] = deformation(j, particles); });
    std::vector<Vec3d> moved(rest_vertices_.size());
    parallel_each(moved.size(), [&](std::size_t i) {
        double weight = 0;
        for (const Link& link : vertex_links_.of(i)) {
            const Vec3d way = rest_vertices_[i] - rest_particles_[link.particle];
            moved[i] += link.weight * (particles[link.particle] + deformations[link.particle] * way);
            weight += link.weight;
        }
        moved[i] *= 1 / weight;
    });
    return moved;
}

} // namespace loam
