// A closed triangle mesh from a file as a solid.
#include <filesystem>

#include <fmt/format.h>

#include "particles/mesh/triangle_tree.h"
#include "particles/shapes/distance_grid.h"
#include "particles/shapes/kinds.h"

namespace loam {
namespace {

constexpr double most_spacings = 4000; // beyond it distances are known on cells of more than four spacings only

class MeshSource final : public DistanceSource {
public:
    explicit MeshSource(const Mesh& mesh) : tree_(mesh) {}
    double distance(const Vec3d& at, double at_most, int sign) const override {
        const double d = tree_.distance(at, at_most);
        return (sign == 0 ? tree_.winding_number(at) > 0.5 : sign < 0) ? -d : d;
    }

private:
    TriangleTree tree_;
};

std::string point_text(const Vec3d& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", p.x, p.y, p.z); }

Status make_solid(Mesh& mesh, bool repair, const std::string& file) {
    weld(mesh);
    const OpenEdges open = open_edges(mesh);
    if (!open.edges.empty() && !repair) {
        const auto& [a, b] = open.edges[0];
        return Error{Fault::scene, "file",
                     file + " is not closed: " + std::to_string(open.edges.size()) + " open edges, the first from " +
                         point_text(mesh.vertices[a]) + " to " + point_text(mesh.vertices[b]),
                     "close the holes in a modeller, or add \"repair\": true to have them filled"};
    }
    close(mesh, open);
    if (mesh.triangles.empty()) return wrong("file", file + " has no triangle with an area");
    if (signed_volume(mesh) < 0) // inside out
        for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return Done{};
}

void fit(Mesh& mesh, const Values& values) {
    if (values.text("up") == "z") // z up to y up: a quarter turn about x
        for (Vec3d& v : mesh.vertices) v = {v.x, v.z, -v.y};
    const Bounds b = mesh.bounds();
    const Vec3d extent = b.size();
    const double longest = std::max({extent.x, extent.y, extent.z});
    double scale = values.number("scale");
    if (values.number("size") > 0 && longest > 0) scale *= values.number("size") / longest;
    const Vec3d origin = values.flag("centered") ? b.center() : Vec3d{};
    for (Vec3d& v : mesh.vertices) v = values.vector("translate") + scale * (v - origin);
}

Result<ShapePtr> make_mesh(const Values& values, const ShapeContext& context) {
    const std::string& file = values.text("file");
    if (file.empty()) return wrong("file", "is empty", "the name of an .obj, .ply or .stl file");
    Result<Mesh> mesh = read_mesh((std::filesystem::path(context.folder) / file).string());
    if (!mesh) return mesh.error();
    if (Status status = make_solid(*mesh, values.flag("repair"), file); !status) return status.error();
    fit(*mesh, values);
    const Vec3d size = mesh->bounds().size();
    if (!(std::max({size.x, size.y, size.z}) > context.spacing))
        return wrong("scale", "the mesh is smaller than one particle, its size is " + point_text(size) + " m",
                     "a larger scale, or a smaller particle_radius");
    if (std::max({size.x, size.y, size.z}) > most_spacings * context.spacing)
        return wrong("scale", "the mesh is too large for particles this small, its size is " + point_text(size) + " m",
                     "a smaller scale (is the file in millimetres? 0.001), a part of the mesh, or a larger "
                     "particle_radius");
    return grid_shape(MeshSource(*mesh), mesh->bounds(), context.spacing);
}

} // namespace

std::vector<ShapeKind> mesh_kinds() {
    return {{{"mesh",
              "The inside of a closed triangle mesh from a file: OBJ, PLY or STL. In 2D its section with z = 0.",
              {text("file", "", "name of the .obj, .ply or .stl file, relative to the scene").needed(),
               number("scale", "", 1, positive, "factor on all coordinates"),
               number("size", "m", 0, not_negative, "length of its longest side; 0 to leave it as the file has it"),
               choice("up", {"y", "z"}, "the axis that points up in the file"),
               flag("centered", false, "move the middle of the mesh to the origin first"),
               vector("translate", "m", {0, 0, 0}, "move by this at last"),
               flag("repair", false, "fill holes instead of refusing a mesh that is not closed")}},
             make_mesh}};
}

} // namespace loam
