#include "surface/sheet_mesh.h"

#include <limits>

namespace loam {
namespace {

template <class T> std::span<const T> column(const Frame& frame, const char* name) {
    const std::size_t index = frame.columns.find(name);
    if (index == SIZE_MAX) return {};
    return {reinterpret_cast<const T*>(frame.columns.bytes(index)), frame.columns.size()};
}

constexpr std::uint32_t gone = std::numeric_limits<std::uint32_t>::max();

// Where in the frame each point's particle is.
std::vector<std::uint32_t> find_points(const Frame& frame, const Sheet& sheet, std::uint32_t first_id) {
    std::vector<std::uint32_t> where(sheet.points.size(), gone);
    const auto ids = column<std::uint32_t>(frame, "id");
    for (std::uint32_t i = 0; i < ids.size(); ++i)
        if (ids[i] >= first_id && ids[i] - first_id < where.size()) where[ids[i] - first_id] = i;
    return where;
}

bool is_torn(const Sheet& sheet, const std::vector<Vec3f>& now, const Triangle& t, double limit) {
    for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        if (length(now[a] - now[b]) > limit * length(sheet.points[a] - sheet.points[b])) return true;
    }
    return false;
}

} // namespace

SurfaceMesh sheet_mesh(const Frame& frame, const BodySheet& body) {
    const Sheet& sheet = *body.sheet;
    const std::vector<std::uint32_t> where = find_points(frame, sheet, body.first_id);
    const auto positions = column<Float4>(frame, "position"), velocities = column<Float4>(frame, "velocity");
    const auto bodies = column<std::uint32_t>(frame, "body");
    SurfaceMesh mesh;
    MeshColumn velocity{"velocity", "m/s", 3, {}};
    for (const std::uint32_t i : where) {
        mesh.vertices.push_back(i == gone ? Vec3f{} : positions[i].xyz());
        mesh.body.push_back(i == gone || bodies.empty() ? 0 : bodies[i]);
        const Vec3f v = i == gone || velocities.empty() ? Vec3f{} : velocities[i].xyz();
        velocity.values.insert(velocity.values.end(), {v.x, v.y, v.z});
    }
    if (!velocities.empty()) mesh.columns.push_back(std::move(velocity));
    for (const char* name : {"saturation", "porosity"}) // how wet it looks
        if (const auto values = column<float>(frame, name); !values.empty()) {
            MeshColumn shown{name, "", 1, {}};
            for (const std::uint32_t i : where) shown.values.push_back(i == gone ? 0 : values[i]);
            mesh.columns.push_back(std::move(shown));
        }
    for (const Triangle& t : sheet.triangles)
        if (where[t[0]] != gone && where[t[1]] != gone && where[t[2]] != gone &&
            !is_torn(sheet, mesh.vertices, t, body.torn))
            mesh.triangles.push_back(t);
    compute_normals(mesh);
    return mesh;
}

} // namespace loam
