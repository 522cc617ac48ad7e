// Binary PLY: x y z, then each attribute by its name, as three of NAME_x NAME_y NAME_z for vectors; normals are nx ny
// nz, as Blender and others expect. Meshes have the same layout as those of `loam surface`.
#include <fmt/format.h>

#include "export/format.h"

namespace loam {
namespace {

std::string property(const Attribute& attribute, std::size_t component) {
    const char axis = "xyz"[component];
    const char* const type = attribute.whole ? "uint" : "float";
    if (attribute.name == "normal") return fmt::format("property {} n{}\n", type, axis);
    if (attribute.components == 1) return fmt::format("property {} {}\n", type, attribute.name);
    return fmt::format("property {} {}_{}\n", type, attribute.name, axis);
}

} // namespace

Result<std::string> encode_ply(const Geometry& g) {
    const std::vector<Attribute> attributes = attributes_of(g);
    std::string file = fmt::format("ply\nformat binary_little_endian 1.0\ncomment loam export\ncomment frame {}\n"
                                   "comment time {}\nelement vertex {}\n",
                                   g.frame, g.time, g.positions.size());
    for (const char axis : {'x', 'y', 'z'}) file += fmt::format("property float {}\n", axis);
    for (const Attribute& attribute : attributes)
        for (std::size_t k = 0; k < attribute.components; ++k) file += property(attribute, k);
    if (g.is_mesh) file += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", g.triangles.size());
    file += "end_header\n";
    for (std::size_t i = 0; i < g.positions.size(); ++i) {
        put_bytes(file, g.positions[i]);
        for (const Attribute& attribute : attributes)
            file.append(reinterpret_cast<const char*>(attribute.row(i)), attribute.components * 4);
    }
    for (const auto& triangle : g.triangles) {
        file += '\3';
        put_bytes(file, triangle);
    }
    return file;
}

} // namespace loam
