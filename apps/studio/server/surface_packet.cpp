#include "surface_packet.h"

#include "packing.h"
#include "surface/from_frame.h"
#include "surface/surface.h"

namespace loam::studio {
namespace {

using Json = nlohmann::ordered_json;

constexpr double cells_per_radius = 0.8; // coarser than in pictures: this is drawn while somebody waits
constexpr double most_memory = 2e9;

std::int8_t direction_byte(float x) { return static_cast<std::int8_t>(std::lround(127 * std::clamp(x, -1.f, 1.f))); }

std::vector<double> lengths_of(const MeshColumn& column) {
    const auto size = static_cast<std::size_t>(column.components);
    std::vector<double> lengths(column.values.size() / size);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < size; ++k) sum += std::pow(column.values[size * i + k], 2);
        lengths[i] = size == 1 ? column.values[i] : std::sqrt(sum);
    }
    return lengths;
}

std::string packed(const Frame& frame, const SurfaceMesh& mesh, const std::string& name) {
    Bounds bounds;
    for (const Vec3f& v : mesh.vertices) bounds.add(Vec3d{v.x, v.y, v.z});
    if (mesh.vertices.empty()) bounds = {{0, 0, 0}, {0, 0, 0}};
    Json head{{"frame", frame.header.frame}, {"vertices", mesh.vertices.size()}, {"triangles", mesh.triangles.size()}};
    head["bounds"] = bounds_text(bounds);
    std::vector<double> values;
    double least = 0, most = 0;
    if (const MeshColumn* const column = name.empty() ? nullptr : mesh.find(name); column && !mesh.vertices.empty()) {
        values = lengths_of(*column);
        const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
        least = *lo, most = *hi;
        head["column"] = {{"name", name}, {"unit", column->unit}, {"least", least}, {"most", most}};
    }
    std::string bytes = described(head, mesh.vertices.size() * 12 + mesh.triangles.size() * 12 + 64);
    for (const Vec3f& v : mesh.vertices)
        for (std::size_t k = 0; k < 3; ++k)
            append(bytes, within(static_cast<double>(v[k]), bounds.lo[k], bounds.hi[k]));
    pad(bytes);
    for (const Vec3f& n : mesh.normals)
        for (std::size_t k = 0; k < 3; ++k) append(bytes, direction_byte(n[k]));
    pad(bytes);
    for (const std::uint32_t body : mesh.body) append(bytes, static_cast<std::uint8_t>(std::min(body, 255u)));
    pad(bytes);
    for (const double value : values) append(bytes, within(value, least, most));
    pad(bytes);
    for (const auto& corners : mesh.triangles)
        for (const std::uint32_t corner : corners) append(bytes, corner);
    return bytes;
}

} // namespace

Result<std::string> surface_packet(const Frame& frame, const SurfaceWish& wish) {
    FrameChoice choice{.bodies = {}, .columns = {"velocity"}};
    for (const std::string& body : wish.bodies)
        if (std::find(frame.header.bodies.begin(), frame.header.bodies.end(), body) != frame.header.bodies.end())
            choice.bodies.push_back(body);
    if (!wish.column.empty() && frame.columns.find(wish.column) != SIZE_MAX) choice.columns = {wish.column};
    if (choice.bodies.empty()) return packed(frame, {}, "");
    const Result<SurfaceParticles> particles = particles_of(frame, choice);
    if (!particles) return particles.error();
    if (particles->positions.empty()) return packed(frame, {}, "");
    const auto maker = SurfaceMaker::create(default_surface_method, {});
    if (!maker) return maker.error();
    const Result<SurfaceMesh> mesh = (*maker)->make(*particles, {.cell = particles->radius / cells_per_radius,
                                                                 .smoothing = 2,
                                                                 .memory_limit = most_memory,
                                                                 .isa = best_instruction_set()});
    if (!mesh) return mesh.error();
    return packed(frame, *mesh, wish.column);
}

} // namespace loam::studio
