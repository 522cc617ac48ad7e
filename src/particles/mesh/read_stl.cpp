// STL: three corners per triangle, as text or as 50 bytes.
#include <cstring>

#include "particles/mesh/mesh.h"
#include "particles/mesh/text_scan.h"

namespace loam {
namespace {

constexpr std::size_t header = 84, record = 50;

std::uint32_t little_u32(const char* bytes) {
    unsigned char b[4];
    std::memcpy(b, bytes, 4);
    return b[0] | b[1] << 8 | b[2] << 16 | static_cast<std::uint32_t>(b[3]) << 24;
}

float little_f32(const char* bytes) {
    const std::uint32_t bits = little_u32(bytes);
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

void add_triangle(Mesh& mesh) {
    const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.triangles.push_back({n - 3, n - 2, n - 1});
}

Result<Mesh> parse_binary(std::string_view bytes, const std::string& name) {
    const auto fail = [&](std::size_t at, std::string what, std::string hint = "") {
        return Error{Fault::file, name + ": byte " + std::to_string(at), std::move(what), std::move(hint)};
    };
    if (bytes.size() < header)
        return fail(bytes.size(), "the file ends within its header",
                    "a binary STL file has 84 bytes before its triangles");
    const std::uint64_t count = little_u32(bytes.data() + 80), there = (bytes.size() - header) / record;
    if (count > there)
        return fail(80, "says " + std::to_string(count) + " triangles, but there are " + std::to_string(there),
                    "the file may be cut off");
    if (count == 0) return fail(80, "has no triangles");
    if (count > UINT32_MAX / 3) return fail(80, "too many triangles");
    Mesh mesh;
    mesh.vertices.reserve(3 * count), mesh.triangles.reserve(count);
    for (std::size_t t = 0; t < count; ++t) {
        const std::size_t start = header + t * record + 12; // the normal comes first
        for (std::size_t corner = 0; corner < 3; ++corner) {
            const char* p = bytes.data() + start + 12 * corner;
            const Vec3d at{little_f32(p), little_f32(p + 4), little_f32(p + 8)};
            if (!is_finite(at)) return fail(start + 12 * corner, "a coordinate is not a finite number");
            mesh.vertices.push_back(at);
        }
        add_triangle(mesh);
    }
    return mesh;
}

Result<Mesh> parse_text(std::string_view bytes, const std::string& name) {
    TextScan scan(bytes);
    Mesh mesh;
    std::string_view line;
    std::size_t corners = 0;
    while (scan.next_line(line)) {
        const std::string_view word = take_word(line);
        if (word == "endloop" && corners != 3)
            return at_line(name, scan.line_number(), "a facet with " + std::to_string(corners) + " corners",
                           "3 are allowed");
        if (word == "facet" || word == "endloop") corners = 0;
        if (word != "vertex") continue;
        if (mesh.vertices.size() > UINT32_MAX - 4) return at_line(name, scan.line_number(), "too many triangles");
        Vec3d p;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::string_view text = take_word(line);
            const auto value = to_number<double>(text);
            if (!value || !std::isfinite(*value))
                return at_line(name, scan.line_number(),
                               "vertex coordinate " + shown(text) + " is not a finite number");
            p[axis] = *value;
        }
        if (++corners > 3) return at_line(name, scan.line_number(), "a facet with more than 3 corners");
        mesh.vertices.push_back(p);
        if (corners == 3) add_triangle(mesh);
    }
    if (corners != 0) return at_line(name, scan.line_number(), "the file ends within a facet");
    if (mesh.triangles.empty()) return Error{Fault::file, name, "has no facets", "expected STL as text or binary"};
    return mesh;
}

} // namespace

// Binary files may begin with "solid" too; their size gives them away.
Result<Mesh> parse_stl(std::string_view bytes, const std::string& name) {
    const bool sized_as_binary =
        bytes.size() >= header && bytes.size() == header + record * std::uint64_t{little_u32(bytes.data() + 80)};
    if (!sized_as_binary && bytes.substr(0, 5) == "solid") return parse_text(bytes, name);
    return parse_binary(bytes, name);
}

} // namespace loam
