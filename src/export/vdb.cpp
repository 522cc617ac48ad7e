// OpenVDB: the surface as a narrow-band level set (distance [m], negative inside), or the particles as a grid of
// points. Built only where the library is (CMakeLists.txt sets LOAM_OPENVDB).
#include "export/format.h"

#ifndef LOAM_OPENVDB

namespace loam {

Result<std::string> encode_vdb(const Geometry&) {
    return Error{Fault::usage, "--to vdb", "this Loam was built without OpenVDB",
                 "install Debian's package libopenvdb-dev, run cmake again and build; or choose another format"};
}

} // namespace loam

#else

#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/points/PointAttribute.h>
#include <openvdb/points/PointConversion.h>
#include <openvdb/tools/MeshToVolume.h>

namespace loam {
namespace {

namespace points = openvdb::points;

constexpr float band = 3;              // half width of the level set [cells]
constexpr double points_per_voxel = 8; // what OpenVDB advises; a voxel is two spacings of particles wide

openvdb::GridBase::Ptr level_set(const Geometry& g) {
    std::vector<openvdb::Vec3s> vertices;
    for (const Vec3f& p : g.positions) vertices.emplace_back(p.x, p.y, p.z);
    std::vector<openvdb::Vec3I> triangles;
    for (const auto& [a, b, c] : g.triangles) triangles.emplace_back(a, b, c);
    const auto transform = openvdb::math::Transform::createLinearTransform(g.size);
    for (openvdb::Vec3s& v : vertices) v = openvdb::Vec3s(transform->worldToIndex(v));
    const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec3I> mesh(vertices, triangles);
    auto grid = openvdb::tools::meshToVolume<openvdb::FloatGrid>(mesh, *transform, band, band);
    grid->setName("surface");
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    return grid;
}

// Adds a column of the points, in the order of the index grid, under the name that Houdini and Blender look for.
template <class Value>
void add_column(points::PointDataGrid& grid, const openvdb::tools::PointIndexGrid& index, const std::string& name,
                const std::vector<Value>& values) {
    points::appendAttribute<Value>(grid.tree(), name);
    points::populateAttribute(grid.tree(), index.tree(), name, points::PointAttributeVector<Value>(values));
}

openvdb::GridBase::Ptr point_grid(const Geometry& g) {
    std::vector<openvdb::Vec3s> places, velocities;
    for (const Vec3f& p : g.positions) places.emplace_back(p.x, p.y, p.z);
    const points::PointAttributeVector<openvdb::Vec3s> wrapped(places);
    const auto transform = openvdb::math::Transform::createLinearTransform(2 * g.size * std::cbrt(points_per_voxel));
    const auto index = openvdb::tools::createPointIndexGrid<openvdb::tools::PointIndexGrid>(wrapped, *transform);
    auto grid = points::createPointDataGrid<points::NullCodec, points::PointDataGrid>(*index, wrapped, *transform);
    grid->setName("points");
    add_column<float>(*grid, *index, "pscale", g.radii);
    if (!g.ids.empty()) add_column<std::int32_t>(*grid, *index, "id", {g.ids.begin(), g.ids.end()});
    for (const MeshColumn& column : g.columns)
        if (column.name == "velocity" && column.components == 3) {
            for (std::size_t i = 0; i < places.size(); ++i)
                velocities.emplace_back(column.values[3 * i], column.values[3 * i + 1], column.values[3 * i + 2]);
            add_column<openvdb::Vec3s>(*grid, *index, "v", velocities);
        }
    return grid;
}

} // namespace

Result<std::string> encode_vdb(const Geometry& g) {
    try { // the library throws; we do not
        openvdb::initialize();
        const openvdb::GridBase::Ptr grid = g.is_mesh ? level_set(g) : point_grid(g);
        grid->insertMeta("time", openvdb::DoubleMetadata(g.time));
        std::ostringstream bytes(std::ios::binary);
        openvdb::io::Stream(bytes).write(openvdb::GridCPtrVec{grid});
        return bytes.str();
    } catch (const std::exception& failure) {
        return Error{Fault::file, "--to vdb", fmt::format("OpenVDB failed: {}", failure.what()), ""};
    }
}

} // namespace loam

#endif
