#include "export/format.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {
namespace {

constexpr std::array formats{
    ExportFormat{
        .name = "ply", .help = "binary PLY: Blender, Houdini, ParaView, MeshLab", .meshes = true, .encode = encode_ply},
    ExportFormat{.name = "obj",
                 .help = "Wavefront OBJ: nearly everything; places and normals only",
                 .meshes = true,
                 .encode = encode_obj},
    ExportFormat{.name = "vtp",
                 .help = "VTK PolyData: ParaView, VTK, PyVista",
                 .meshes = true,
                 .collection = true,
                 .encode = encode_vtp},
    ExportFormat{.name = "pov",
                 .help = "POV-Ray scene with camera, light, sky and ground",
                 .meshes = true,
                 .camera = true,
                 .encode = encode_pov},
    ExportFormat{.name = "bgeo", .help = "Houdini's classic bgeo: points with P, v, id, pscale", .encode = encode_bgeo},
    ExportFormat{.name = "vdb",
                 .help = "OpenVDB: level set or grid of points; Houdini, Blender",
                 .meshes = true,
                 .encode = encode_vdb},
};

} // namespace

std::span<const ExportFormat> export_formats() { return formats; }

Result<const ExportFormat*> find_export_format(const std::string& name) {
    std::vector<std::string> names;
    for (const ExportFormat& format : formats) {
        if (format.name == name) return &format;
        names.push_back(format.name);
    }
    const std::string nearest = nearest_name(name, names);
    return Error{Fault::usage, "--to", fmt::format("there is no format \"{}\"", name),
                 (nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest)) + "There are: " + join(names)};
}

} // namespace loam
