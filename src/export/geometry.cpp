#include "export/geometry.h"

#include "cache/particle_sizes.h"
#include "surface/ply.h"

namespace loam {
namespace {

Vec3f to_float(const Vec3d& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

} // namespace

std::vector<Attribute> attributes_of(const Geometry& g) {
    std::vector<Attribute> all;
    const auto add = [&](const std::string& name, const std::string& unit, std::size_t components, bool whole,
                         const auto& values) {
        if (!values.empty())
            all.push_back({name, unit, components, whole, reinterpret_cast<const std::byte*>(values.data())});
    };
    add("normal", "", 3, false, g.normals);
    add("body", "", 1, true, g.body);
    add("id", "", 1, true, g.ids);
    add("radius", "m", 1, false, g.radii);
    for (const MeshColumn& column : g.columns)
        add(column.name, column.unit, static_cast<std::size_t>(column.components), false, column.values);
    return all;
}

Result<Geometry> points_of(const Frame& frame, const FrameChoice& choice) {
    const Result<std::vector<std::uint32_t>> rows = rows_of(frame, choice);
    if (!rows) return rows.error();
    Result<SurfaceParticles> particles = particles_of(frame, choice);
    if (!particles) return particles.error();
    Geometry g{.frame = frame.header.frame,
               .time = frame.header.time,
               .size = frame.header.particle_radius,
               .flat = frame.header.dimensions == 2,
               .bodies = frame.header.bodies};
    for (const Vec3d& p : particles->positions) g.positions.push_back(to_float(p));
    g.body = std::move(particles->body);
    g.columns = std::move(particles->columns);
    if (const auto ids = whole_numbers(frame, "id"); !ids.empty())
        for (const std::uint32_t row : *rows) g.ids.push_back(ids[row]);
    const ParticleSizes sizes(frame);
    for (const std::uint32_t row : *rows) g.radii.push_back(static_cast<float>(sizes.radius(row)));
    return g;
}

Result<Geometry> read_mesh_geometry(const std::filesystem::path& surface) {
    Result<SurfaceFile> file = read_surface(surface);
    if (!file) return file.error();
    return Geometry{.frame = file->header.frame,
                    .time = file->header.time,
                    .size = file->header.cell,
                    .bodies = file->header.bodies,
                    .is_mesh = true,
                    .positions = std::move(file->mesh.vertices),
                    .body = std::move(file->mesh.body),
                    .normals = std::move(file->mesh.normals),
                    .columns = std::move(file->mesh.columns),
                    .triangles = std::move(file->mesh.triangles)};
}

} // namespace loam
