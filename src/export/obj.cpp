// Wavefront OBJ: v, vn and f for meshes, v and p for points. It has no place for columns. Numbers begin at 1.
#include <iterator>

#include <fmt/format.h>

#include "export/format.h"

namespace loam {

Result<std::string> encode_obj(const Geometry& g) {
    std::string file =
        fmt::format("# loam export: frame {}, time {} s\no {}\n", g.frame, g.time, g.is_mesh ? "surface" : "points");
    const auto end = std::back_inserter(file);
    for (const Vec3f& p : g.positions) fmt::format_to(end, "v {} {} {}\n", p.x, p.y, p.z);
    for (const Vec3f& n : g.normals) fmt::format_to(end, "vn {:.4g} {:.4g} {:.4g}\n", n.x, n.y, n.z);
    for (const auto& [a, b, c] : g.triangles)
        fmt::format_to(end, "f {0}//{0} {1}//{1} {2}//{2}\n", a + 1, b + 1, c + 1);
    if (!g.is_mesh)
        for (std::size_t i = 0; i < g.positions.size(); ++i) fmt::format_to(end, "p {}\n", i + 1);
    return file;
}

} // namespace loam
