#include "particles/pieces.h"

#include <algorithm>

#include "particles/point_grid.h"

namespace loam {
namespace {

constexpr double link = 1.5; // spacings: neighbors along edges and diagonals of a lattice's faces

} // namespace

std::vector<std::vector<std::uint32_t>> connected_pieces(std::span<const Vec3d> positions, double spacing) {
    PointGrid grid(link * spacing);
    for (const Vec3d& p : positions) grid.add(p);
    std::vector<std::uint8_t> seen(positions.size(), 0);
    std::vector<std::vector<std::uint32_t>> pieces;
    for (std::uint32_t first = 0; first < positions.size(); ++first) {
        if (seen[first]) continue;
        std::vector<std::uint32_t> piece{first};
        seen[first] = 1;
        for (std::size_t k = 0; k < piece.size(); ++k)
            grid.near(positions[piece[k]], link * spacing, [&](std::uint32_t n, double) {
                if (!seen[n]) seen[n] = 1, piece.push_back(n);
                return false;
            });
        std::sort(piece.begin(), piece.end());
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

} // namespace loam
