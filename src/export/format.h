// The formats: each turns a geometry into the bytes of a file.
#pragma once

#include <span>
#include <string>

#include "export/geometry.h"

namespace loam {

struct ExportFormat {
    const char* name = "";   // on the command line, and the ending of its files
    const char* help = "";   // who opens it
    bool meshes = false;     // false: points only
    bool camera = false;     // true: Geometry::view is needed
    bool collection = false; // true: a .pvd lists the files with their times
    Result<std::string> (*encode)(const Geometry& geometry) = nullptr;
};

std::span<const ExportFormat> export_formats();

// An error with the nearest name where there is no such format.
Result<const ExportFormat*> find_export_format(const std::string& name);

// One source each: ply.cpp, obj.cpp, ...
Result<std::string> encode_ply(const Geometry& geometry);  // binary, little-endian
Result<std::string> encode_obj(const Geometry& geometry);  // text: places, normals, faces or points; no columns
Result<std::string> encode_vtp(const Geometry& geometry);  // VTK XML PolyData, appended raw
Result<std::string> encode_pov(const Geometry& geometry);  // a scene that POV-Ray renders as it is
Result<std::string> encode_bgeo(const Geometry& geometry); // Houdini's classic binary format, version 5
Result<std::string> encode_vdb(const Geometry& geometry);  // level set of a mesh, or grid of points

} // namespace loam
