#include "export/format.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace loam {
namespace {

constexpr std::array formats{
    ExportFormat{"ply", "binary PLY: Blender, Houdini, ParaView, MeshLab", true, false, encode_ply},
    ExportFormat{"obj", "Wavefront OBJ: nearly everything; places and normals only", true, false, encode_obj},
    ExportFormat{"vtp", "VTK PolyData: ParaView, VTK, PyVista", true, false, encode_vtp},
    ExportFormat{"pov", "POV-Ray scene with camera, light, sky and ground", true, true, encode_pov},
    ExportFormat{"bgeo", "Houdini's classic bgeo: points with P, v, id, pscale", false, false, encode_bgeo},
    ExportFormat{"vdb", "OpenVDB: level set or grid of points; Houdini, Blender", true, false, encode_vdb},
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
