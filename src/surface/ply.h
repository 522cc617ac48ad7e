// Surfaces as files: binary PLY, which Blender, ParaView, Houdini and MeshLab open as it is. Per vertex x y z, nx ny
// nz, body, and each column by its name (three of NAME_x NAME_y NAME_z for vectors). Comments say where it comes from.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "surface/mesh.h"

namespace loam {

struct SurfaceHeader {
    std::uint64_t frame = 0;
    double time = 0; // [s]
    double cell = 0; // [m]
    std::string method;
    std::vector<std::string> bodies; // names; the vertices' `body` counts into them
};

// Durable on return; after an error the file is as it was before.
Status write_surface(const std::filesystem::path& path, const SurfaceMesh& mesh, const SurfaceHeader& header);

struct SurfaceFile {
    SurfaceHeader header;
    SurfaceMesh mesh;
};

// Reads what write_surface wrote; anything else is an error that says what is wrong.
Result<SurfaceFile> read_surface(const std::filesystem::path& path);

} // namespace loam
