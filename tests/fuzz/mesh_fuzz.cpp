// Random bytes as a mesh file of each format, as glTF and as a height file. The first byte says which.
#include <cmath>
#include <string_view>

#include "particles/mesh/animation.h"
#include "particles/mesh/mesh.h"
#include "particles/mesh/triangle_tree.h"
#include "particles/shapes/height_file.h"

namespace {

void check(bool condition) {
    if (!condition) __builtin_trap();
}

void use(loam::Mesh mesh) {
    for (const loam::Triangle& t : mesh.triangles)
        for (const std::uint32_t corner : t) check(corner < mesh.vertices.size());
    loam::weld(mesh);
    loam::close(mesh, loam::open_edges(mesh));
    check(loam::open_edges(mesh).edges.empty());
    if (mesh.triangles.empty()) return;
    const loam::TriangleTree tree(mesh);
    const loam::Vec3d at = mesh.bounds().center();
    check(std::isfinite(tree.distance(at, 1e30)));
    check(std::isfinite(tree.winding_number(at)));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 8 == 7) {
        const auto animation = loam::parse_gltf(std::string(bytes), "fuzz", "/nowhere");
        if (!animation) {
            check(!animation.error().what.empty());
            return 0;
        }
        const std::vector<loam::Vec3d> vertices = (*animation)->vertices(0.3 * (*animation)->duration());
        for (const loam::Triangle& t : (*animation)->triangles())
            for (const std::uint32_t corner : t) check(corner < vertices.size());
        return 0;
    }
    if (data[0] % 4 == 3) {
        const auto heights = loam::parse_heights(bytes, "fuzz");
        if (heights) check(heights->values.size() == static_cast<std::size_t>(heights->columns) * heights->rows);
        return 0;
    }
    const loam::MeshFormat formats[] = {loam::MeshFormat::obj, loam::MeshFormat::ply, loam::MeshFormat::stl};
    auto mesh = loam::parse_mesh(bytes, formats[data[0] % 4], "fuzz");
    if (mesh)
        use(std::move(*mesh));
    else
        check(!mesh.error().what.empty());
    return 0;
}
