#include "particles/sheet.h"

namespace loam {

Sheet mesh_sheet(const Mesh& mesh, double) {
    Sheet sheet;
    sheet.points = mesh.vertices;
    sheet.triangles = mesh.triangles;
    sheet.shares = shares_of(sheet.points, sheet.triangles);
    return sheet;
}

} // namespace loam
