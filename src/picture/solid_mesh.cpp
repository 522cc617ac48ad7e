#include "picture/solid_mesh.h"

#include <algorithm>

#include "particles/pieces.h"
#include "particles/point_grid.h"
#include "picture/wall_mesh.h"
#include "surface/from_frame.h"
#include "surface/rigid_fit.h"

namespace loam {
namespace {

constexpr double cells_along = 64;

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
Vec3d exact(const Vec3f& v) { return {v.x, v.y, v.z}; }

// All of it, with the shape of the scene.
bool is_rigid(const BodySpec& body) {
    return std::any_of(body.behaviors.begin(), body.behaviors.end(), [](const BehaviorUse& use) {
        const Track* weight = use.values.track("weight");
        return use.name == "rigid" && (!weight || weight->driver == Driver::time);
    });
}

std::size_t nearest(const PointGrid& grid, const Vec3d& at, double spacing) {
    std::size_t best = 0;
    double least = 1e300;
    for (double reach = 1.5 * spacing; least == 1e300; reach *= 2)
        grid.near(at, reach, [&](std::uint32_t n, double r2) {
            if (r2 < least) least = r2, best = n;
            return false;
        });
    return best;
}

} // namespace

std::unique_ptr<SolidMesh> SolidMesh::create(const Scene& scene, std::size_t b) {
    const BodySpec& body = scene.bodies[b];
    if (!is_rigid(body) || !body.shape || scene.dimensions() == 2) return nullptr;
    const auto particles = fill_body(scene, body);
    if (!particles) return nullptr;
    auto solid = std::make_unique<SolidMesh>();
    solid->body_ = static_cast<std::uint32_t>(b);
    for (const FillPoint& particle : *particles) solid->particles_.push_back(particle.position);
    const Bounds box = body.shape->bounds().grown(scene.radius());
    const Vec3d size = box.size();
    solid->mesh_ = mesh_of(*body.shape, box, std::max({size.x, size.y, size.z}) / cells_along);

    const auto pieces = connected_pieces(solid->particles_, scene.spacing());
    std::vector<std::size_t> piece_of(solid->particles_.size());
    for (std::size_t p = 0; p < pieces.size(); ++p) {
        solid->pieces_.push_back({pieces[p], {}});
        for (const std::uint32_t i : pieces[p]) piece_of[i] = p;
    }
    PointGrid grid(scene.spacing());
    for (const Vec3d& p : solid->particles_) grid.add(p);
    for (std::uint32_t v = 0; v < solid->mesh_.vertices.size(); ++v) {
        const std::size_t i = pieces.size() == 1 ? 0 : nearest(grid, exact(solid->mesh_.vertices[v]), scene.spacing());
        solid->pieces_[piece_of[i]].vertices.push_back(v);
    }
    return solid;
}

std::optional<Triangles> SolidMesh::in(const Frame& frame, double shutter) const {
    const auto bodies = whole_numbers(frame, "body");
    const std::size_t position = frame.columns.find("position"), velocity = frame.columns.find("velocity");
    if (position == SIZE_MAX || velocity == SIZE_MAX) return {};
    const auto* const x = reinterpret_cast<const Float4*>(frame.columns.bytes(position));
    const auto* const u = reinterpret_cast<const Float4*>(frame.columns.bytes(velocity));
    std::vector<std::uint32_t> rows; // frames are in the order of ids, as the body was filled
    for (std::uint32_t i = 0; i < bodies.size(); ++i)
        if (bodies[i] == body_) rows.push_back(i);
    if (rows.size() != particles_.size()) return {};

    Triangles mesh = mesh_;
    if (shutter > 0) mesh.movement.resize(mesh.vertices.size());
    for (const Piece& piece : pieces_) {
        std::vector<Vec3d> rest, now, then;
        for (const std::uint32_t k : piece.particles) {
            rest.push_back(particles_[k]);
            now.push_back(x[rows[k]].xyz_double());
            then.push_back(now.back() + shutter * u[rows[k]].xyz_double());
        }
        const RigidFit fit = fit_rigid(rest, now), later = fit_rigid(rest, then);
        if (fit.error > frame.header.particle_radius) return {}; // it has become something else
        for (const std::uint32_t v : piece.vertices) {
            const Vec3d at_rest = exact(mesh.vertices[v]);
            mesh.vertices[v] = single(fit.point(at_rest));
            if (!mesh.normals.empty()) mesh.normals[v] = single(fit.turned(exact(mesh.normals[v])));
            if (shutter > 0) mesh.movement[v] = single(later.point(at_rest) - fit.point(at_rest));
        }
    }
    return mesh;
}

} // namespace loam
