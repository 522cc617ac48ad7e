// Which points are joined by springs.
#include <algorithm>
#include <map>

#include "behaviors/springs/network.h"
#include "particles/point_grid.h"

namespace loam {
namespace {

void link_rectangle(const Sheet& sheet, std::vector<Link>& links) {
    const std::size_t rows = sheet.rows, columns = sheet.columns;
    const auto join = [&](std::size_t r, std::size_t c, std::size_t dr, std::ptrdiff_t dc, SpringKind kind) {
        const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(c) + dc;
        if (r + dr >= rows || other < 0 || other >= static_cast<std::ptrdiff_t>(columns)) return;
        links.push_back({static_cast<std::uint32_t>(r * columns + c),
                         static_cast<std::uint32_t>((r + dr) * columns + static_cast<std::size_t>(other)), kind});
    };
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            join(r, c, 0, 1, SpringKind::structural), join(r, c, 1, 0, SpringKind::structural);
            join(r, c, 1, 1, SpringKind::shear), join(r, c, 1, -1, SpringKind::shear);
            join(r, c, 0, 2, SpringKind::flexion), join(r, c, 2, 0, SpringKind::flexion);
        }
}

void link_triangles(const Sheet& sheet, std::vector<Link>& links) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> facing; // by edge
    for (const Triangle& t : sheet.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = t[k], b = t[(k + 1) % 3];
            facing[{std::min(a, b), std::max(a, b)}].push_back(t[(k + 2) % 3]);
        }
    for (const auto& [edge, corners] : facing) {
        links.push_back({edge.first, edge.second, SpringKind::structural});
        if (corners.size() == 2 && corners[0] != corners[1])
            links.push_back({corners[0], corners[1], SpringKind::flexion});
    }
}

} // namespace

std::vector<Link> links_of(const Sheet& sheet) {
    std::vector<Link> links;
    if (sheet.rows > 0)
        link_rectangle(sheet, links);
    else
        link_triangles(sheet, links);
    return links;
}

std::vector<Link> links_of(std::span<const Vec3d> points, double spacing) {
    constexpr double next = 1.2, diagonal = 1.6, next_but_one = 1.9, farthest = 2.1; // in spacings
    PointGrid grid(farthest * spacing);
    for (const Vec3d& p : points) grid.add(p);
    std::vector<Link> links;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const std::size_t begin = links.size();
        grid.near(points[i], farthest * spacing, [&](std::uint32_t j, double r2) {
            const double r = std::sqrt(r2) / spacing;
            if (j <= i) return false;
            if (r < next)
                links.push_back({i, j, SpringKind::structural});
            else if (r < diagonal)
                links.push_back({i, j, SpringKind::shear});
            else if (r > next_but_one)
                links.push_back({i, j, SpringKind::flexion});
            return false;
        });
        std::sort(links.begin() + static_cast<std::ptrdiff_t>(begin), links.end(),
                  [](const Link& a, const Link& b) { return a.b < b.b; });
    }
    return links;
}

} // namespace loam
