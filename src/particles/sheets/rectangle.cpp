#include "particles/sheet.h"

namespace loam {
namespace {

std::size_t intervals(const Vec3d& edge, double spacing) {
    const double l = length(edge);
    return l > 0 ? std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(l / spacing))) : 0;
}

// All diagonals run the same way: any two triangles at an edge then are each other's image, which shells rely on.
void add_square(Sheet& sheet, std::size_t row, std::size_t column) {
    const auto at = [&](std::size_t r, std::size_t c) { return static_cast<std::uint32_t>(r * sheet.columns + c); };
    const std::uint32_t a = at(row, column), b = at(row, column + 1), c = at(row + 1, column + 1),
                        d = at(row + 1, column);
    sheet.triangles.push_back({a, b, c}), sheet.triangles.push_back({a, c, d});
}

} // namespace

Sheet rectangle_sheet(const Vec3d& corner, const Vec3d& u, const Vec3d& v, double spacing) {
    const std::size_t along = intervals(u, spacing), across = intervals(v, spacing);
    Sheet sheet;
    sheet.columns = along + 1, sheet.rows = across + 1;
    const double width = length(u) / static_cast<double>(along),
                 height = across > 0 ? length(v) / static_cast<double>(across) : 1;
    for (std::size_t r = 0; r <= across; ++r)
        for (std::size_t c = 0; c <= along; ++c) {
            const double s = static_cast<double>(c) / static_cast<double>(along),
                         t = across > 0 ? static_cast<double>(r) / static_cast<double>(across) : 0;
            sheet.points.push_back(corner + s * u + t * v);
            const double of_row = across > 0 && (r == 0 || r == across) ? 0.5 : 1,
                         of_column = c == 0 || c == along ? 0.5 : 1;
            sheet.shares.push_back(of_row * of_column * width * height);
        }
    for (std::size_t r = 0; r < across; ++r)
        for (std::size_t c = 0; c < along; ++c) add_square(sheet, r, c);
    return sheet;
}

std::optional<Sheet> sheet_of(const Shape& shape, double spacing) {
    const auto* source = dynamic_cast<const SheetSource*>(&shape);
    return source ? source->sheet(spacing) : std::nullopt;
}

double points_of_sheet(const Shape& shape, double spacing) {
    const auto* source = dynamic_cast<const SheetSource*>(&shape);
    return source ? source->points(spacing) : 0;
}

std::vector<double> shares_of(const std::vector<Vec3d>& points, const std::vector<Triangle>& triangles) {
    std::vector<double> shares(points.size(), 0);
    for (const Triangle& t : triangles) {
        const double area = 0.5 * length(cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]));
        for (const std::uint32_t corner : t) shares[corner] += area / 3;
    }
    return shares;
}

Sheet in_three_layers(Sheet sheet, double gap) {
    if (sheet.triangles.empty() || sheet.layers > 1) return sheet;
    std::vector<Vec3d> normals(sheet.points.size());
    for (const Triangle& t : sheet.triangles) {
        const Vec3d& a = sheet.points[t[0]];
        const Vec3d area = cross(sheet.points[t[1]] - a, sheet.points[t[2]] - a);
        for (const std::uint32_t corner : t) normals[corner] += area;
    }
    const std::vector<Vec3d> middle = sheet.points;
    for (const double side : {-1.0, 1.0})
        for (std::size_t k = 0; k < middle.size(); ++k)
            sheet.points.push_back(middle[k] + side * gap * normalized(normals[k]));
    for (double& share : sheet.shares) share /= 3;
    const std::vector<double> shares = sheet.shares;
    for (int layer = 0; layer < 2; ++layer) sheet.shares.insert(sheet.shares.end(), shares.begin(), shares.end());
    sheet.layers = 3;
    return sheet;
}

} // namespace loam
