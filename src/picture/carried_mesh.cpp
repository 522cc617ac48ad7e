#include "picture/carried_mesh.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "particles/point_grid.h"
#include "particles/sheet.h"
#include "picture/wall_mesh.h"
#include "surface/from_frame.h"
#include "surface/rigid_fit.h"

namespace loam {
namespace {

constexpr double cells_along = 64;
constexpr double reach = 2.2;             // of a vertex, in spacings
constexpr double fits = 0.25, torn = 0.5; // off by so many spacings the mesh begins to fade, and is gone

Vec3f single(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
Vec3d exact(const Vec3f& v) { return {v.x, v.y, v.z}; }

bool is_solid_for_a_time(const Scene& scene, const BodySpec& body) {
    const auto keyed = [&](const char* name) {
        const BehaviorUse* const use = find_behavior(scene, body, name);
        return use && use->values.track("weight");
    };
    return keyed("elastic") || keyed("rigid");
}

} // namespace

std::unique_ptr<CarriedMesh> CarriedMesh::create(const Scene& scene, std::size_t b) {
    const BodySpec& body = scene.bodies[b];
    if (!is_solid_for_a_time(scene, body) || !body.shape || body.group_of || scene.dimensions() == 2) return nullptr;
    if (sheet_of(*body.shape, scene.spacing())) return nullptr;
    const auto particles = fill_body(scene, body);
    if (!particles || particles->empty()) return nullptr;
    auto carried = std::make_unique<CarriedMesh>();
    carried->body_ = static_cast<std::uint32_t>(b);
    PointGrid grid(scene.spacing());
    for (const FillPoint& particle : *particles)
        carried->particles_.push_back(particle.position), grid.add(particle.position);
    const Bounds box = body.shape->bounds().grown(scene.radius());
    const Vec3d size = box.size();
    carried->mesh_ = mesh_of(*body.shape, box, std::max({size.x, size.y, size.z}) / cells_along);
    carried->carriers_.resize(carried->mesh_.vertices.size());
    parallel_each(carried->carriers_.size(), [&](std::size_t v) {
        Carriers& own = carried->carriers_[v];
        double sum = 0;
        for (double far = reach * scene.spacing(); own.particles.size() < 4 && far < 10 * reach * scene.spacing();
             far *= 2) {
            own = {}, sum = 0;
            grid.near(exact(carried->mesh_.vertices[v]), far, [&](std::uint32_t n, double r2) {
                const double near = 1 - r2 / (far * far);
                own.particles.push_back(n), own.shares.push_back(near * near * near);
                sum += own.shares.back();
                return false;
            });
            if (own.particles.size() == carried->particles_.size()) break;
        }
        for (double& share : own.shares) share /= sum;
    });
    return carried;
}

// Frames are in the order of ids, and what a body began with has one id after the other.
std::vector<std::uint32_t> CarriedMesh::rows_in(const Frame& frame) const {
    const auto bodies = whole_numbers(frame, "body"), ids = whole_numbers(frame, "id");
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < bodies.size() && rows.size() < particles_.size(); ++i)
        if (bodies[i] == body_) rows.push_back(i);
    const bool whole =
        rows.size() == particles_.size() && !ids.empty() && ids[rows.back()] - ids[rows.front()] + 1 == rows.size();
    return whole ? rows : std::vector<std::uint32_t>{};
}

// Between what has gone different ways there is nothing.
void CarriedMesh::leave_out_stretched(Triangles& mesh) const {
    constexpr float longest = 2; // of an edge at rest
    std::vector<std::uint8_t> stretched(mesh.vertices.size(), 0);
    for (const auto& corners : mesh.corners)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
            if (length(mesh.vertices[a] - mesh.vertices[b]) > longest * length(mesh_.vertices[a] - mesh_.vertices[b]))
                stretched[a] = stretched[b] = 1;
        }
    for (std::size_t v = 0; v < stretched.size(); ++v)
        if (stretched[v]) mesh.opacity[v] = 0;
}

std::optional<CarriedMesh::Shown> CarriedMesh::in(const Frame& frame, std::span<const float> solid,
                                                  double shutter) const {
    const std::vector<std::uint32_t> rows = rows_in(frame);
    const std::size_t position = frame.columns.find("position"), velocity = frame.columns.find("velocity");
    if (rows.empty() || position == SIZE_MAX || velocity == SIZE_MAX) return {};
    const auto* const x = reinterpret_cast<const Float4*>(frame.columns.bytes(position));
    const auto* const u = reinterpret_cast<const Float4*>(frame.columns.bytes(velocity));
    const double spacing = 2 * frame.header.particle_radius;
    Shown shown{mesh_, std::vector<float>(frame.columns.size(), 0)};
    Triangles& mesh = shown.mesh;
    mesh.opacity.assign(mesh.vertices.size(), 0);
    if (shutter > 0) mesh.movement.resize(mesh.vertices.size());
    parallel_each(carriers_.size(), [&](std::size_t v) {
        const Carriers& own = carriers_[v];
        std::vector<Vec3d> rest, now;
        double there = 0;
        Vec3d movement;
        for (std::size_t k = 0; k < own.particles.size(); ++k) {
            const std::uint32_t row = rows[own.particles[k]];
            rest.push_back(particles_[own.particles[k]]), now.push_back(x[row].xyz_double());
            there += own.shares[k] * solid[row], movement += own.shares[k] * u[row].xyz_double();
        }
        const RigidFit fit = fit_rigid(rest, now);
        const double whole = std::clamp((torn - fit.error / spacing) / (torn - fits), 0.0, 1.0);
        mesh.vertices[v] = single(fit.point(exact(mesh_.vertices[v])));
        if (!mesh.normals.empty()) mesh.normals[v] = single(fit.turned(exact(mesh_.normals[v])));
        if (shutter > 0) mesh.movement[v] = single(shutter * movement);
        mesh.opacity[v] = static_cast<float>(there * whole);
    });
    leave_out_stretched(mesh);
    if (std::none_of(mesh.opacity.begin(), mesh.opacity.end(), [](float o) { return o > 0; })) return {};
    std::vector<float> shares(shown.near.size(), 0);
    for (std::size_t v = 0; v < carriers_.size(); ++v)
        for (std::size_t k = 0; k < carriers_[v].particles.size(); ++k) {
            const std::uint32_t row = rows[carriers_[v].particles[k]];
            const auto share = static_cast<float>(carriers_[v].shares[k]);
            shown.near[row] += share * mesh.opacity[v], shares[row] += share;
        }
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i] > 0) shown.near[i] /= shares[i];
    return shown;
}

} // namespace loam
